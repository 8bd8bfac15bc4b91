/** Takes the README's picture, docs/demo.png, of the built demo: `node tests/e2e/support/picture.mjs` after `npm start` has built it. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Demo } from "./demo.mjs";

const docs = fileURLToPath(new URL("../../../docs/", import.meta.url));

const demo = await Demo.start();
const user = await demo.open({ viewport: { width: 1280, height: 930 }, colorScheme: "light", reducedMotion: "reduce" });
await user.say("I live in Lisbon and I love the sea.");
await user.say("저는 매운 음식을 좋아해요.");
await user.page.getByTestId("new-chat").click();
await user.page.getByTestId("welcome").waitFor();
await user.say("My name is Maya and I work as a marine biologist.");
await user.say("I moved to Porto. I'm allergic to walnuts.");
await user.say("What am I allergic to?");
const history = user.field("place").getByTestId("history");
await history.locator("summary").click();
await user.sees(history.getByTestId("revisions"), "Lisbon");
await user.composer.focus();
mkdirSync(docs, { recursive: true });
await user.page.screenshot({ path: `${docs}demo.png` });
await user.leave();
await demo.close();
