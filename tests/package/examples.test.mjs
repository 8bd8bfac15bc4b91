/** Every example in the documentation compiles, and those that can run do. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import ts from "typescript";
import { complaints } from "./support/compiler.mjs";
import { findExamples } from "./support/examples.mjs";
import { createProject } from "./support/project.mjs";

const PAGE = { lib: ["lib.es2022.d.ts", "lib.dom.d.ts"], types: ["node"], skipLibCheck: true };
const WORKER = { lib: ["lib.es2022.d.ts"], types: ["@cloudflare/workers-types"], skipLibCheck: true };

let project, examples;

before(async () => {
  project = await createProject({}, ["ai", "openai", "@anthropic-ai", "@langchain/core", "@langchain/langgraph", "@langchain/langgraph-checkpoint", "@types/node", "undici-types", "@cloudflare/workers-types", "react", "@types/react", "vue", "svelte"]);
  examples = await findExamples(project.path("node_modules/mnemic"));
});

after(() => project?.remove());

test("there are examples", () => assert.ok(examples.length >= 30, `only ${examples.length}`));

test("all compile", async () => {
  const isWorker = ({ source }) => source.includes("cloudflare:workers");
  for (const [options, group] of [
    [PAGE, examples.filter((example) => !isWorker(example))],
    [WORKER, examples.filter(isWorker)],
  ]) {
    const names = new Map();
    for (const { name, source } of group) names.set(await project.write(`${name.replaceAll(/\W/g, "-")}.ts`, source), name);
    const found = complaints([...names.keys()], options);
    assert.deepEqual(found.map((text) => text.replace(/^[^:]*/, (path) => names.get(path) ?? path)), []);
  }
});

test("those that can run do", async () => {
  const runnable = new Map();
  for (const { name, source, isRun } of examples) {
    if (!isRun) continue;
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    const path = `${name.replaceAll(/\W/g, "-")}.mjs`;
    await project.write(path, outputText);
    runnable.set(name, `./${path}`);
  }
  const path = await project.write(
    "all.mjs",
    `const failures = [];
     console.log = () => {};
     for (const [name, path] of ${JSON.stringify([...runnable])}) {
       await import(path).catch((error) => failures.push(\`\${name}: \${error.stack}\`));
     }
     process.stdout.write(JSON.stringify(failures));`,
  );
  assert.deepEqual(JSON.parse(await project.run(path)), []);
});
