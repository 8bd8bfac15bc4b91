/** What eyes, fingers and screen readers find wrong with a page as it stands; each answers a list that should be empty. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const TOUCH_PX = 44;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rows that are not in view are not laid out before they are scrolled to, so nothing could be seen of them. */
const layOut = (page) => page.evaluate(() => {
  for (const { shadowRoot } of document.querySelectorAll("mnemic-panel")) {
    for (const row of shadowRoot.querySelectorAll("*")) if (getComputedStyle(row).contentVisibility === "auto") row.style.contentVisibility = "visible";
  }
});

/** What is touched and not high enough for a finger. */
export const tooSmall = async (page) => {
  await layOut(page);
  return page.evaluate((least) => [document, ...[...document.querySelectorAll("mnemic-panel")].map(({ shadowRoot }) => shadowRoot)]
    .flatMap((root) => [...root.querySelectorAll("button, input, select, textarea, summary, a")])
    .filter((element) => element.checkVisibility() && !element.closest("label") && !element.matches(".skip-link, .for-screen-readers"))
    .map((element) => ({ name: element.getAttribute("aria-label") ?? element.textContent, height: element.getBoundingClientRect().height }))
    .filter(({ height }) => height < least - 0.5), TOUCH_PX);
};

/** Elements that stick out of the window to the side. */
export const stickingOut = async (page) => {
  await layOut(page);
  return page.evaluate(() => [document.body, ...[...document.querySelectorAll("mnemic-panel")].map(({ shadowRoot }) => shadowRoot)]
    .flatMap((root) => [...root.querySelectorAll("*")])
    .filter((element) => element.checkVisibility() && !element.closest(".for-screen-readers, svg") && getComputedStyle(element).position !== "absolute")
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 0 && (left < -1 || right > innerWidth + 1);
    })
    .map((element) => element.outerHTML.slice(0, 200)));
};

/** What axe finds wrong: names, roles, order, contrast and what else its rules know. */
export const barriers = async (page) => {
  await layOut(page);
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`));
};
