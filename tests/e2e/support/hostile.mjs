/** A memory full of what a page may stumble over: markup, endless words, right-to-left script, emoji, and very much of it. */

const MARKUP = "<img src=x onerror=alert(1)><script>alert(2)</script><b>bold</b> {{7*7}}";
const ENDLESS = "x".repeat(400);
const RIGHT_TO_LEFT = "مرحبا بكم في القاهرة \u202Everkehrt";
const EMOJI = "👩‍👩‍👧‍👦🏳️‍🌈".repeat(10);

export const hostile = [MARKUP, ENDLESS, RIGHT_TO_LEFT, EMOJI];

/** A graph with one entity that has every other around it. */
const graph = [
  { type: "entity", name: "Ana", entityType: MARKUP, observations: hostile },
  ...hostile.map((name) => ({ type: "entity", name, entityType: ENDLESS, observations: [MARKUP] })),
  ...hostile.map((to) => ({ type: "relation", from: "Ana", to, relationType: to })),
].map((line) => JSON.stringify(line)).join("\n");

const documents = JSON.stringify({
  items: hostile.map((text, place) => ({
    namespace: ["notes", text.replaceAll(/[.*]/g, "").slice(0, 60)], key: text.slice(0, 100), value: { [text]: text, place },
    created_at: "2026-03-01T10:00:00+00:00", updated_at: "2026-03-01T10:00:00+00:00",
  })),
});

/** Fills every part of the memory by the means that the page has for it. The panel must be open. */
export async function fillPanel(user) {
  const { page } = user;
  for (const [name, content] of Object.entries({ [`${ENDLESS.slice(0, 200)}.jsonl`]: graph, "<b>documents</b>.json": documents })) {
    await user.more("import");
    await page.getByTestId("import-file").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
    await user.sees(page.getByTestId("import-outcome"), / new, 0 already here, 0 failed/);
  }
  await user.tab("facts");
  for (const text of hostile) {
    await page.getByTestId("facts").getByTestId("add").click();
    await page.getByTestId("facts").getByTestId("value-control").fill(text);
    await page.getByTestId("facts").getByRole("button", { name: "Save" }).click();
    await user.sees(user.facts, text);
  }
  await user.tab("profile");
  await page.getByRole("button", { name: "Add Likes" }).click();
  await user.field("likes").getByTestId("value-control").fill(hostile.map((text) => text.slice(0, 150)).join("\n"));
  await user.field("likes").getByRole("button", { name: "Save" }).click();
  await user.sees(user.value("likes"), "bold");
  await user.more("instructions");
  await page.getByRole("button", { name: "Add How to reply" }).click();
  await page.getByTestId("instruction").getByTestId("value-control").fill(hostile.join("\n"));
  await page.getByTestId("instruction").getByRole("button", { name: "Save" }).click();
  await user.sees(page.getByTestId("instruction"), MARKUP);
  await user.more("episodes");
  await page.getByTestId("episodes").getByTestId("add").click();
  for (const [part, text] of Object.entries({ situation: MARKUP, approach: ENDLESS, outcome: RIGHT_TO_LEFT })) await page.getByTestId(`part-${part}`).fill(text);
  await page.getByTestId("episodes").getByRole("button", { name: "Save" }).click();
  await user.sees(page.getByTestId("episode"), MARKUP);
  await user.more("blocks");
  for (const [place, text] of hostile.entries()) {
    await page.getByTestId("blocks").getByTestId("add").click();
    await page.getByTestId("block-name").fill(`${"block-".repeat(10)}${place}`);
    await page.getByTestId("block-value").fill(text);
    await page.getByTestId("block-read-only").check();
    await page.getByTestId("blocks").getByRole("button", { name: "Save" }).click();
    await user.sees(page.getByTestId("block"), text);
  }
  await user.tab("search");
  await page.getByTestId("search").fill("bold");
  await page.getByTestId("result").first().waitFor();
}
