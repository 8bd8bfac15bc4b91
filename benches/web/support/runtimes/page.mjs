/** Runs the steps in a page. */
import { answerSteps } from "../../../../scripts/browsers/steps.mjs";
import { run } from "./work.mjs";

const runtime = {
  import: () => import(new URL("../../../../pkg/entry/browser.js", import.meta.url)),
  storage: () => ({ storage: "indexeddb" }),
};

await answerSteps((step) => run(runtime, step));
