/** Asks for a step, runs it, tells the answer, and loads itself anew for the next one. */
import { run } from "./work.mjs";

const control = new URLSearchParams(location.search).get("control");
const runtime = {
  import: () => import(new URL("../../../../pkg/entry/browser.js", import.meta.url)),
  storage: () => ({ storage: "indexeddb" }),
};

const step = await (await fetch(control)).json();
if (step !== null) {
  const answer = await run(runtime, step).catch((error) => ({ error: `${error}\n${error.stack}` }));
  await fetch(control, { method: "POST", body: JSON.stringify(answer) });
  location.reload();
}
