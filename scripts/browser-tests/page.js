// `runPage(names, inWorker)`: whether all tests passed.
import { runTests } from "./harness.js";

globalThis.runPage = (names, inWorker) => (inWorker ? runInWorker(names) : runTests(names));

function runInWorker(names) {
  return new Promise((resolve, reject) => {
    const worker = new Worker("worker.js", { type: "module" });
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.onmessage = ({ data: { line, passed, failure } }) => {
      if (line !== undefined) document.getElementById("output").append(`${line}\n`);
      else if (failure !== undefined) reject(new Error(failure));
      else resolve(passed);
    };
    worker.postMessage(names);
  });
}
