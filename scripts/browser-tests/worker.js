// Runs the tests it is sent the names of, and posts their lines.
import { runTests } from "./harness.js";

globalThis.__wbg_test_output_writeln = (line) => postMessage({ line });

onmessage = ({ data: names }) => {
  runTests(names).then((passed) => postMessage({ passed }), (error) => postMessage({ failure: String(error?.stack ?? error) }));
};
