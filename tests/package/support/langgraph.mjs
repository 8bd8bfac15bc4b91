/** A project of a user of LangGraph, with the packed package. */
import { createProject } from "./project.mjs";

/** What LangGraph is made of, and its tests for checkpointers. */
const PACKAGES = ["core", "langgraph", "langgraph-checkpoint", "langgraph-checkpoint-validation"].map((name) => `@langchain/${name}`);

/** The project, with `mnemic`, `mnemic/langgraph`, LangGraph and its checkpoints as they are imported there. */
export async function langGraphProject(files = {}) {
  const project = await createProject(files, PACKAGES);
  const imported = await project.import(`
    export * as mnemic from "mnemic";
    export * as adapter from "mnemic/langgraph";
    export * as langgraph from "@langchain/langgraph";
    export * as checkpoint from "@langchain/langgraph-checkpoint";
    export * as messages from "@langchain/core/messages";
    export * as testing from "@langchain/core/utils/testing";
  `);
  return { project, ...imported };
}

/** All that an asynchronous generator gives. */
export async function all(generator) {
  const items = [];
  for await (const item of generator) items.push(item);
  return items;
}
