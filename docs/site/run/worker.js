/** Runs one snippet, in a worker of its own, and tells the page what it prints. */
import { lineOf, undated } from "./console.js";
import { begin, cleanUp } from "./package.js";
import { standIns } from "./stand-ins.js";

/** @param {MessageEvent<string>} event the name of the snippet */
onmessage = async ({ data: name }) => {
  standIns();
  begin(name);
  const { expected, run } = await import(`./snippets/${name}.run.js`);
  let count = 0;
  console.log = (...values) => {
    const text = lineOf(values);
    const wanted = expected[count];
    count += 1;
    postMessage({ line: text, isExpected: wanted === undefined ? undefined : undated(text) === wanted, wanted });
  };
  try {
    const start = performance.now();
    await run();
    const milliseconds = Math.round(performance.now() - start);
    await globalThis.memory?.close();
    await cleanUp();
    postMessage({ done: true, milliseconds, missing: expected.slice(count) });
  } catch (error) {
    postMessage({ done: true, error: String(error?.stack ?? error), missing: expected.slice(count) });
  }
};
