import assert from "node:assert/strict";
import test from "node:test";
import { parseToml } from "../../scripts/toml.mjs";

test("tables, strings, numbers and lists are read", () => {
  const text = '# note\n[a]\nname = "x"\n\n[b-c]\n"d.wasm" = 450_000\nflags = ["-O3", "--x_1"]\n';
  assert.deepEqual(parseToml(text), { a: { name: "x" }, "b-c": { "d.wasm": 450000, flags: ["-O3", "--x_1"] } });
});

test("what is not understood is refused with its line", () => {
  assert.throws(() => parseToml("[a]\nb = yes\n"), /line 2: yes/);
  assert.throws(() => parseToml("b = 1\n"), /line 1/);
  assert.throws(() => parseToml("[a]\n[[b]]\n"), /line 2/);
});
