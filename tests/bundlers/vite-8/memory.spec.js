import { openMemory } from "mnemic";
import { expect, test } from "vitest";
import { converse } from "../conversation.js";
import { told } from "../told.js";

test("a memory under Vitest", async () => {
  expect(await converse(openMemory, { storage: "memory" })).toEqual(told("memory"));
});
