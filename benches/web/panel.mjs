/** `<mnemic-panel>` with a thousand facts: until it shows them, and the frames while all of them are scrolled through. */
import { launch } from "../../scripts/browser.mjs";
import { root } from "../../scripts/project.mjs";
import { serve } from "../../scripts/serve.mjs";

const FACTS = 1000;
const ROUNDS = 5;

export async function measure() {
  const server = await serve(root, 0);
  const browser = await launch();
  try {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await browser.newPage({ viewport: { width: 400, height: 800 } });
      await page.goto(`${server.url}/benches/web/support/page.html`);
      rounds.push(await page.evaluate(scrolled, FACTS));
      await page.close();
    }
    return Object.entries({ shown: "ms", scroll: "ms", "longest frame": "ms", "frames over 50 ms": "frames", "long tasks": "tasks", "rows at once": "rows" }).map(([name, unit]) => ({
      name: `panel, ${FACTS} facts: ${name}`, value: median(rounds.map((round) => round[name])), unit,
    }));
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Runs in the page: scrolls like a finger that is in a hurry, and counts what the page could not draw in time. */
async function scrolled(count) {
  const { openMemory } = await import("/pkg/entry/browser.js");
  const { define } = await import("/pkg/panel/index.js");
  define();
  const user = (await openMemory({ name: "panel", storage: "memory" })).scope({ userId: "ana" });
  await user.facts.import(Array.from({ length: count }, (_, index) => ({ text: `The user told of thing number ${index} and of what became of it` })));
  const panel = document.createElement("mnemic-panel");
  panel.setAttribute("sections", "facts");
  panel.style.height = "700px";
  const start = performance.now();
  panel.user = user;
  document.body.append(panel);
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const rows = () => [...panel.shadowRoot.querySelectorAll("[data-testid=fact]")];
  while (rows().length === 0) await frame();
  const shown = performance.now() - start;
  let tasks = 0;
  const observer = new PerformanceObserver((list) => { tasks += list.getEntries().length; });
  observer.observe({ type: "longtask" });
  const scroller = panel.shadowRoot.querySelector(".tab-panel");
  const begun = performance.now();
  const frames = [];
  const reached = new Set();
  let most = 0;
  let last = begun;
  for (let still = 0; still < 30;) {
    const top = scroller.scrollTop;
    scroller.scrollTop += 400;
    await frame();
    const now = performance.now();
    frames.push(now - last);
    last = now;
    for (const { id } of rows()) reached.add(id);
    most = Math.max(most, rows().length);
    still = scroller.scrollTop === top ? still + 1 : 0;
  }
  observer.disconnect();
  if (reached.size !== count) throw new Error(`only ${reached.size} of ${count} facts were reached`);
  return { shown, scroll: performance.now() - begun, "longest frame": Math.max(...frames), "frames over 50 ms": frames.filter((time) => time > 50).length, "long tasks": tasks, "rows at once": most };
}

function median(values) {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
}
