/** Long lists of `<mnemic-panel>`: few of their rows stand in the page, and all of them can be reached. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { random as numbers } from "../../scripts/random.mjs";
import { open, startPanels } from "./support/panel.mjs";

const FEW = 60;

let panels;
before(async () => { panels = await startPanels(); });
after(() => panels?.close());

/** A panel of a fixed height with so many facts; the newest, which stands first, has the highest number. */
async function openWith(count, asked = {}) {
  const opened = await open(panels, { sections: "facts", style: "mnemic-panel { height: 30rem }", ...asked });
  await opened.page.evaluate((count) => user.facts.import(Array.from({ length: count }, (_, index) => ({ text: `Fact number ${index}. ${"It is told at some length. ".repeat(index % 7)}` }))), count);
  await opened.page.getByTestId("fact").first().waitFor();
  await opened.page.evaluate(() => {
    globalThis.rows = () => [...panel.shadowRoot.querySelectorAll("[data-testid=fact]")];
    globalThis.scroller = panel.shadowRoot.querySelector(".tab-panel");
    globalThis.frames = () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    /** The rows that are seen at least in part. */
    globalThis.seen = () => {
      const { top, bottom } = scroller.getBoundingClientRect();
      return rows().filter((row) => { const box = row.getBoundingClientRect(); return box.bottom > top && box.top < bottom; });
    };
    globalThis.place = (row) => Number(row.ariaPosInSet);
  });
  return opened;
}

describe("a thousand facts", () => {
  test("are all seen as one turns the wheel, in their order and without a gap, and few of them are in the page", async () => {
    const { page, leave } = await openWith(1000);
    await page.getByTestId("fact").first().hover();
    const found = new Set();
    for (let last = 0; last < 1000;) {
      const look = await page.evaluate(async () => {
        await frames();
        const { top, bottom } = scroller.getBoundingClientRect();
        const middles = [0.1, 0.5, 0.9].map((share) => top + share * (bottom - top));
        const shown = seen();
        const isCovered = (at) => shown.some((row) => { const box = row.getBoundingClientRect(); return box.top <= at && box.bottom >= at; });
        return { rows: rows().length, places: shown.map(place), size: rows()[0].ariaSetSize, gaps: scroller.scrollTop < 100 ? [] : middles.filter((at) => !isCovered(at)) };
      });
      assert.ok(look.rows <= FEW, `${look.rows} rows are in the page`);
      assert.deepEqual(look.places, look.places.map((_, index) => look.places[0] + index), "in their order");
      if (look.places.at(-1) < 1000) assert.deepEqual(look.gaps, [], `a gap near ${look.places[0]}`);
      for (const place of look.places) found.add(place);
      if (look.places.at(-1) === 1000) assert.equal(look.size, "1000");
      last = Math.max(last, ...look.places);
      await page.mouse.wheel(0, 400);
    }
    assert.equal(found.size, 1000);
    await page.getByTestId("fact").last().getByTestId("pin-fact").press("Home");
    await page.waitForFunction(() => seen()[0]?.ariaPosInSet === "1");
    await leave();
  });

  test("are as high as they were, whichever of them were seen", async () => {
    const { page, leave } = await openWith(1000);
    await page.waitForFunction(() => {
      scroller.scrollTop = scroller.scrollHeight;
      return seen().at(-1)?.ariaPosInSet === "1000";
    });
    await page.evaluate(() => frames());
    const before = await page.evaluate(() => scroller.scrollHeight);
    await page.evaluate(async () => {
      for (let top = scroller.scrollHeight; top > 0; top -= 3000) {
        scroller.scrollTop = top;
        await frames();
      }
    });
    const after = await page.evaluate(() => scroller.scrollHeight);
    assert.ok(Math.abs(after - before) < 0.15 * before, `${before} px became ${after} px`);
    await leave();
  });
});

test("every fact is reached by the tabulator, there and back", async () => {
  const { page, leave } = await openWith(120);
  await page.getByTestId("include-past").focus();
  const walk = (key, until) => {
    const places = [];
    const step = async () => {
      await page.keyboard.press(key);
      const place = await page.evaluate(() => Number(panel.shadowRoot.activeElement?.closest("[data-testid=fact]")?.ariaPosInSet ?? 0));
      if (place !== places.at(-1)) places.push(place);
      if (place !== until) await step();
      return places;
    };
    return step();
  };
  assert.deepEqual(await walk("Tab", 120), Array.from({ length: 120 }, (_, index) => index + 1));
  assert.ok((await page.evaluate(() => rows().length)) <= FEW);
  assert.deepEqual(await walk("Shift+Tab", 100), Array.from({ length: 20 }, (_, index) => 119 - index));
  await leave();
});

test("what has the focus keeps it and what is open stays open, however far one scrolls", async () => {
  const { page, leave } = await openWith(400);
  const second = page.getByTestId("fact").nth(1);
  await second.getByTestId("why").locator("summary").click();
  await second.getByTestId("why-content").getByText("Added by you").waitFor();
  await page.getByTestId("fact").first().getByTestId("edit-fact").click();
  await page.getByTestId("value-control").fill("Written halfway");
  await page.evaluate(async () => {
    scroller.scrollTop = 20_000;
    await frames();
  });
  assert.equal(await page.evaluate(() => panel.shadowRoot.activeElement?.value), "Written halfway");
  assert.deepEqual(await page.evaluate(() => rows().map(place).slice(0, 2).map((place) => place < 10)), [true, false], "the second is not in the page");
  await page.evaluate(() => user.facts.add("One that came meanwhile"));
  await page.keyboard.type(", and on");
  assert.equal(await page.evaluate(() => panel.shadowRoot.activeElement?.value), "Written halfway, and on");
  await page.evaluate(async () => {
    scroller.scrollTop = 0;
    await frames();
  });
  assert.equal(await page.getByTestId("fact").nth(2).getByTestId("why").evaluate((details) => details.open), true);
  await page.keyboard.press("Enter");
  await page.getByTestId("value").filter({ hasText: "Written halfway, and on" }).waitFor();
  await leave();
});

test("what is looked at stays where it is when others come and go above it", async () => {
  const { page, leave } = await openWith(400);
  const where = () => page.evaluate(async () => {
    await frames();
    const row = seen()[1];
    globalThis.watched ??= row.id;
    return rows().find(({ id }) => id === watched).getBoundingClientRect().top;
  });
  await page.evaluate(() => { scroller.scrollTop = 15_000; });
  const before = await where();
  const added = await page.evaluate(async () => {
    const { id } = await user.facts.add("One that came meanwhile");
    await panel.refresh();
    return id;
  });
  assert.ok(Math.abs((await where()) - before) < 2, "one came");
  await page.evaluate(async (id) => {
    await user.items.delete(id);
    await panel.refresh();
  }, added);
  assert.ok(Math.abs((await where()) - before) < 2, "one went");
  await leave();
});

test("a panel without a height scrolls with the page around it", async () => {
  const { page, leave } = await openWith(300, { style: "" });
  assert.ok((await page.evaluate(() => rows().length)) <= FEW);
  for (;;) {
    const last = await page.evaluate(async () => {
      document.scrollingElement.scrollTop += 3000;
      await frames();
      const shown = rows().filter((row) => { const { top, bottom } = row.getBoundingClientRect(); return bottom > 0 && top < innerHeight; });
      return { rows: rows().length, place: place(shown.at(-1)) };
    });
    assert.ok(last.rows <= FEW);
    if (last.place === 300) break;
  }
  await leave();
});

test("rows stand where a naive sum of heights puts them", async (context) => {
  const { Heights } = await import(new URL("page/heights.js", panels.entry));
  const seed = Math.floor(Math.random() * 2 ** 32);
  context.diagnostic(`seed ${seed}`);
  const random = numbers(seed);
  const keys = Array.from({ length: 50 }, (_, index) => `row ${index}`);
  const heights = new Heights();
  heights.keys = keys;
  const known = new Map();
  let guess = 144;
  for (let round = 0; round < 200; round += 1) {
    const seen = Array.from({ length: 1 + Math.floor(random() * 4) }, () => [keys[Math.floor(random() * keys.length)], 1 + Math.floor(random() * 300)]);
    heights.see(seen);
    if (known.size === 0) guess = seen.reduce((sum, [, height]) => sum + height, 0) / seen.length;
    for (const [key, height] of seen) known.set(key, height);
    const tops = [0];
    for (const key of keys) tops.push(tops.at(-1) + (known.get(key) ?? guess));
    keys.forEach((_, index) => assert.ok(Math.abs(heights.top(index) - tops[index]) < 0.001));
    assert.ok(Math.abs(heights.top(keys.length) - tops.at(-1)) < 0.001);
    const at = random() * 1.2 * tops.at(-1) - 100;
    assert.equal(heights.at(at), Math.max(0, tops.slice(0, -1).findLastIndex((top) => top <= at)));
  }
});
