/** What must compile, and what must not. Checked by types.test.mjs in a project with the package installed. */
import {
  deleteMemory,
  moveMemory,
  ForgottenError,
  MnemicError,
  openMemory,
  type Action,
  type Twin,
  type Block,
  type Candidate,
  type Commit,
  type Passage,
  type Scored,
  type Stepped,
  type Entity,
  type DeletedDocuments,
  type Document,
  type DocumentEntry,
  type Difference,
  type EncryptionStatus,
  type LockEvent,
  type ScopeEncryptionStatus,
  type Fact,
  type FoundDocument,
  type FromSchema,
  type Imported,
  type Inspection,
  type ModelRequest,
  type Span,
  type Generated,
  type Health,
  type GuardOptions,
  type Remembered,
  type Item,
  type Llm,
  type MemoryOptions,
  type ProfileField,
  type Recalled,
  type RecallItem,
  type Retrieved,
  type Scope,
  type StorageObject,
  type StoredMessage,
  type Summary,
  type Taught,
  type Trait,
  type WipedEvent,
  type Memory,
  type RestartEvent,
} from "mnemic";
import { memoryPool, sqliteStorage, type SqliteStorage } from "mnemic/node";
import { builtInModel, openAICompatible } from "mnemic/adapters";
import { ollamaEmbeddings, openAIEmbeddings, transformersEmbeddings, workersAIEmbeddings, type EmbedderProgress } from "mnemic/embedders";
import { durableObjectStorage } from "mnemic/cloudflare";
import { fileStorage, type FileStorageOptions } from "mnemic/node";
import { opener } from "mnemic/slim";
import { serveMemories } from "mnemic/worker";
import { MemoryProvider, useFacts, useLive, useMemory, useProfile, useRecall, useThread, useUndo } from "mnemic/react";
import { liveFacts, liveThread, provideMemory as provideSvelte } from "mnemic/svelte";
import { provideMemory, useFacts as useFactsOfVue, useThread as useThreadOfVue } from "mnemic/vue";
import type { JSX } from "react";
import type Anthropic from "@anthropic-ai/sdk";
import type { Tool as ProtocolTool } from "@modelcontextprotocol/sdk/types.js";
import type OpenAI from "openai";
import { z } from "zod";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(..._proof: Same<A, B> extends true ? [] : ["the types differ"]): void {}

const SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string", description: "first name" },
    age: { type: "integer" },
    weight: { type: ["number", "null"] },
    isMember: { type: "boolean" },
    diet: { enum: ["vegan", "vegetarian", "none"] },
    version: { const: 2 },
    tags: { type: "array", items: { enum: ["a", "b"] } },
    address: { type: "object", properties: { city: { type: "string" }, lines: { type: "array" } }, required: ["city"] },
    anything: {},
    open: { type: "object" },
  },
  required: ["name"],
} as const;

same<
  FromSchema<typeof SCHEMA>,
  {
    name?: string;
    age?: number;
    weight?: number | null;
    isMember?: boolean;
    diet?: "vegan" | "vegetarian" | "none";
    version?: 2;
    tags?: ("a" | "b")[];
    address?: { city?: string; lines?: unknown[] };
    anything?: unknown;
    open?: { [name: string]: unknown };
  }
>();

const memory = await openMemory({
  name: "types",
  storage: "memory",
  profiles: {
    "user-profile": SCHEMA,
    inline: { type: "object", properties: { color: { enum: ["red", "blue"] } } },
    zod: z.object({ city: z.string(), sizes: z.array(z.number()).optional() }),
  },
});
const user = memory.scope({ userId: "alice" });

// Profiles are typed by their schemas.
const { "user-profile": mine, inline, zod } = await user.profiles.get();
same<typeof mine.profile.diet, "vegan" | "vegetarian" | "none" | undefined>();
same<typeof mine.fields.age, ProfileField<number> | undefined>();
same<typeof inline.profile.color, "red" | "blue" | undefined>();
same<typeof zod.profile.city, string | undefined>();
same<typeof zod.profile.sizes, number[] | undefined>();
same<Awaited<ReturnType<typeof user.profiles.set>>, Action>();
same<Awaited<ReturnType<typeof user.facts.delete>>["twins"], Twin[] | undefined>();
await user.items.delete("", { keepSource: true });
await user.profiles.delete("user-profile", undefined, { keepSource: true });
await user.profiles.set("user-profile", "diet", "vegan");
await user.profiles.set("zod", "sizes", [38, 39]);
await user.profiles.patch("user-profile", { name: "Alice", diet: null });
await user.profiles.delete("inline");
await user.profiles.rollback("inline", "color", 1);
await user.profiles.set("inline", "color", "red", { expiresAt: new Date(), metadata: { a: 1 }, labels: { by: "form" } });
const difference: Difference = await user.profiles.diff("inline", "color", 1, 2);
difference.changes[0]?.path.length;
// @ts-expect-error a label is a text
await user.profiles.set("inline", "color", "red", { labels: { by: 7 } });
const past = await user.asOf(new Date()).profiles.get();
same<typeof past.inline.profile.color, "red" | "blue" | undefined>();
// @ts-expect-error no such schema
await user.profiles.set("user-profil", "diet", "vegan");
// @ts-expect-error no such field
await user.profiles.set("user-profile", "diets", "vegan");
// @ts-expect-error not in the enum
await user.profiles.set("user-profile", "diet", "carnivore");
// @ts-expect-error no field is undefined
await user.profiles.set("user-profile", "diet", undefined);
// @ts-expect-error not of the type
await user.profiles.patch("user-profile", { age: "40" });
// @ts-expect-error no such field
mine.profile.nickname;
// @ts-expect-error a field may be absent
mine.fields.name.value;

// Without profiles there is nothing to set.
const kept = await openMemory({ name: "kept", storage: ["indexeddb", "memory"], copy: "opfs", persist: true, maxMemoryBytes: 64 * 2 ** 20 });
const health: Health = await kept.health();
await openMemory({ name: "x", storage: ["opfs", "indexeddb"], worker: true });
const place: "indexeddb" | "localstorage" | "memory" | "object" | "opfs" | "bucket" = health.storage.kind;
const [taken, atMost]: number[] = [health.memory.bytes, health.memory.maxBytes];
const lag: number | undefined = health.copy?.lagMs;
const stopWiped: () => void = kept.on("wiped", ({ lost, restored }: WipedEvent) => {
  const what: "all" | "some" = lost;
  const back: boolean = restored;
});
await deleteMemory("kept", { keep: "copy" });
const moved: void = await moveMemory("kept", { from: "indexeddb", to: "opfs", worker: true });
await moveMemory("kept", { from: "localstorage", to: { read: () => [], write() {} } });
// @ts-expect-error nothing is kept there
await moveMemory("kept", { from: "indexeddb", to: "memory" });
// @ts-expect-error to where?
await moveMemory("kept", { from: "indexeddb" });
const elsewhere: Memory = await openMemory({ name: "kept", worker: true });
await openMemory({ name: "kept", worker: "shared" });
await openMemory({ name: "kept", worker: () => new Worker("memory-worker.js", { type: "module" }) });
await openMemory({ name: "kept", worker: () => new SharedWorker("memory-worker.js", { type: "module" }) });
// @ts-expect-error no such worker
await openMemory({ name: "kept", worker: "service" });
const stopRestart: () => void = elsewhere.on("restart", ({ reason }: RestartEvent) => {
  const code: string = reason.code;
});
serveMemories({ countTokens: (text) => text.length, embed: { id: "own", embed: (texts) => texts.map(() => new Float32Array(3)) } });
// @ts-expect-error a list of numbers for each text
serveMemories({ countTokens: (text) => text });
// @ts-expect-error no such copy
await openMemory({ name: "kept", copy: "cloud" });
// @ts-expect-error no such thing to keep
await deleteMemory("kept", { keep: "all" });

const bare = await openMemory({ name: "bare", storage: "memory" });
// @ts-expect-error no schema is registered
await bare.scope({ a: "b" }).profiles.set("user-profile", "name", "Alice");

// Schemas that are known at run time only leave the profile open.
const loaded: { [schemaId: string]: { [keyword: string]: unknown } } = {};
const dynamic = (await openMemory({ name: "dynamic", storage: "memory", profiles: loaded })).scope({ a: "b" });
await dynamic.profiles.set("any", "field", { any: "value" });

// Calls.
const fact: Fact | null = await user.facts.get("id");
fact?.validTo?.toFixed();
await user.facts.add({ text: "x", category: "pain point", expiresAt: new Date(), metadata: { a: [1, { b: null }] } });
await user.facts.list({ filter: { $or: [{ category: "goal" }, { significance: { $gt: 3 } }] }, includeEnded: true });
await user.facts.list({ validAt: new Date() });
await user.facts.search("x", { scoring: { mode: "sum", weights: { recency: 2 }, decay: 0.99 } });
(await user.facts.search("x", { includeEnded: true }))[0]?.supersededBy?.trim();
(await user.facts.list({ contested: true }))[0]?.contested?.[0]?.source[0]?.quote.trim();
(await user.facts.get("x", { contested: true }))?.contested?.[0]?.validFrom.toFixed();
(await user.recall("x")).items[0]?.contested?.[0]?.trust.trim();
// @ts-expect-error: the past tells no contradictions
await user.asOf(1).facts.list({ contested: true });
await user.facts.import([{ text: "x", sourceId: "1", embedding: new Float32Array(3) }]);
await user.items.purge({ kinds: ["fact", "episode"], filter: {} });
await user.items.edit("id", { value: { any: 1 }, expiresAt: new Date() });
await user.items.edit("id", { expiresAt: null });
await user.facts.update("id", { expiresAt: null });
await user.profiles.set("inline", "color", "red", { expiresAt: null });
await user.instructions.revise({ feedback: "x", threadId: "t", name: "mail" });
await user.episodes.update("id", { outcome: "x" });
await user.tiers.add({ query: "x", response: "y", createdAt: new Date(), metadata: { a: 1 }, threadId: "t" });
const retrieved: Retrieved = await user.tiers.retrieve("x", { topSegments: 1, topPages: 2, topKnowledge: 3 });
retrieved.pages[0]?.score.toFixed();
(await user.tiers.remove("id")).action.toUpperCase();
// @ts-expect-error one page has one id
await user.tiers.remove(["id"]);
const heat: number | undefined = (await user.tiers.state()).segments[0]?.heat.value;
heat?.toFixed();
same<Trait["level"], "low" | "medium" | "high">();
// @ts-expect-error an exchange has an answer
await user.tiers.add({ query: "x" });
// @ts-expect-error no such option
await openMemory({ name: "x", tiers: { pages: 7 } });
// @ts-expect-error no such mode
await user.recall("x", { scoring: { mode: "difference" } });
const shared: Recalled = await user.recall("x", { sections: { facts: 0.5, significant: 0, graph: { priority: 99, maxTokens: 10 } } });
const beginning: number = shared.prefixTokens;
// @ts-expect-error blocks are no section of recall
await user.recall("x", { sections: { blocks: 0.5 } });
// @ts-expect-error messages are no items
await user.items.list({ kinds: ["message"] });
// @ts-expect-error a purge has a condition
await user.items.purge({ force: true });
// @ts-expect-error an episode has an outcome
await user.episodes.add({ situation: "x", approach: "y" });
await user.remember({ role: "user", content: [{ type: "text", text: "hi" }, { type: "image", url: "a:b" }], createdAt: 1 });
await user.remember([{ role: "tool", content: "42", name: "calculator" }] as const, { threadId: "t" });
const generated: Generated = await user.generate({
  messages: { role: "user", content: "hi" },
  facts: ["x", { text: "y", topic: "preferences" }],
  metadataMerge: "require",
  topics: ["personal info", { label: "pets", description: "animals of the user" }],
});
const learned: Item | undefined = generated.changes[0]?.record;
learned?.pinned.valueOf();
const { usage }: Taught = await user.flush({ threadId: "t" });
const inspection: Inspection = await memory.inspect({ signal: AbortSignal.timeout(1000) });
const asked: ModelRequest | undefined = inspection.requests[0];
const prompts: string[] | undefined = asked?.messages?.map(({ content }) => content);
prompts?.at(0);
inspection.log.segments[0]?.liveShare.toFixed();
memory.on("span", (span: Span) => span.attributes.map(({ key }) => key));
// @ts-expect-error a span has its times as text
memory.on("span", ({ endTimeUnixNano }) => endTimeUnixNano.toFixed());
usage.calls.toFixed();
// @ts-expect-error no such topic
await user.generate({ facts: ["x"], topics: ["pets"] });
// @ts-expect-error no such way to merge
await user.generate({ facts: ["x"], metadataMerge: "mix" });
const items: RecallItem[] = (await user.recall("x", { maxTokens: 10, signal: AbortSignal.timeout(10) })).items;
items[0]?.terms["words"]?.toFixed();
const stop: () => void = memory.on("change", ({ changes, remote }) => console.log(changes[0]?.action, remote));
stop();
// @ts-expect-error no such category
await user.facts.add({ text: "x", category: "preferences" });
// @ts-expect-error a fact has a text
await user.facts.add({ category: "goal" });
// @ts-expect-error no such role
await user.remember({ role: "wizard", content: "x" });
// @ts-expect-error values of a scope are strings
memory.scope({ userId: 7 });
// @ts-expect-error no such event
memory.on("changed", () => {});
// @ts-expect-error the pairs are frozen
user.scope["userId"] = "bob";

// The graph.
const created = await user.graph.create_entities({ entities: [{ name: "a", entityType: "b", observations: [] }] as const });
same<typeof created, { entities: Entity[]; skipped?: string[] }>();
await user.graph.create_relations({ relations: [{ from: "a", to: "b", relationType: "c" }] });
(await user.graph.read_graph({ maxTokens: 100 })).truncated?.entities.toFixed();
(await user.graph.search("x", { filter: { entityType: "person" } }))[0]?.score.toFixed();
(await user.graph.neighbours({ names: ["a"], asOf: new Date() })).entities[0]?.depth.toFixed();
same<Awaited<ReturnType<typeof user.graph.resolve>>, Candidate[]>();
// @ts-expect-error an entity has observations
await user.graph.create_entities({ entities: [{ name: "a", entityType: "b" }] });
await user.graph.update({ name: "a", newName: "b", entityType: "c" });
// @ts-expect-error an entity is named
await user.graph.update({ newName: "b" });
await user.asOf(0).graph.path({ from: "a", to: "b" });
// @ts-expect-error the view has its time
await user.asOf(0).graph.list({ asOf: 5 });
// @ts-expect-error a merge needs evidence
await user.graph.merge({ into: "a", from: "b" });
// @ts-expect-error there may be no path
(await user.graph.path({ from: "a", to: "b" })).entities;
// Documents.
const put = await user.documents.put(["a"], "k", { at: new Date(), list: [1] }, { index: ["list[*]"], ttlMs: 5000, ifRevision: 1 });
same<typeof put, Action>();
const gotten: Document | null = await user.documents.get(["a"], "k", { refreshTtl: false });
gotten?.expiresAt?.toFixed();
const foundDocuments: FoundDocument[] = await user.documents.search([], { query: "x", filter: { n: { $gt: 1 } }, offset: 1 });
foundDocuments[0]?.terms?.words.toFixed();
foundDocuments[0]?.relevance?.toFixed();
(await user.facts.search("x", { threshold: 0.5 }))[0]?.relevance.toFixed();
await user.documents.search([], { query: "x", threshold: 0 });
const outcomes = await user.documents.batch([
  { op: "get", namespace: ["a"], key: "k" },
  { op: "put", namespace: ["a"], key: "k", value: {}, index: false, ttlMs: false, ifAbsent: true },
  { op: "listNamespaces", maxDepth: 1, match: [{ prefix: ["a"] }, { suffix: ["*"] }] },
  { op: "list", prefix: ["a"], depth: 0, orderBy: "key", order: "desc", after: "k" },
  { op: "move", namespace: ["a"], key: "k", toKey: "l", ifRevision: 2 },
  { op: "deleteAll", prefix: ["a"], keyPrefix: "k", where: { updatedAt: { $lt: 5 } } },
]);
same<typeof outcomes, [Document | null, Action | null, string[][], DocumentEntry[], Action | null, DeletedDocuments]>();
const entries: DocumentEntry[] = await user.documents.list([], { orderBy: "updatedAt", limit: 5 });
entries[0]?.bytes.toFixed();
// @ts-expect-error a listing has no values
entries[0]?.value;
// @ts-expect-error there is no such order
await user.documents.list([], { orderBy: "size" });
same<Awaited<ReturnType<typeof user.documents.deleteAll>>, DeletedDocuments>();
// @ts-expect-error a value is an object
await user.documents.put(["a"], "k", "text");
// @ts-expect-error a namespace is a list
await user.documents.get("a", "k");
// @ts-expect-error there is no such operation
await user.documents.batch([{ op: "upsert", namespace: ["a"], key: "k" }]);
await openMemory({ name: "documents", documents: { index: ["title"], ttlMs: 60_000, refreshTtl: false, namespaces: [{ prefix: ["a"], index: false }] } });
await user.documents.put(["a"], "bytes", new Uint8Array(3));
const bytesOfDocument: Uint8Array | undefined = (await user.documents.get(["a"], "bytes"))?.data;
console.log(bytesOfDocument);

// Importing.
const imported: Imported = await user.import(new Blob(["[]"]), { format: "claude", onProgress: ({ total }) => console.log(total) });
imported.failed[0]?.place.at(0);
await user.import({ results: [] }, { learn: true, signal: AbortSignal.timeout(10) });
// @ts-expect-error no such format
await user.import("[]", { format: "gemini" });
await user.remember({ role: "user", content: "x" }, { learn: false });

// Opening.
const llm: Llm = async ({ messages, schema, signal }) => (signal.aborted ? "" : { schema, said: messages[0]?.content });
const options: MemoryOptions = { name: "x", llm, embed: { id: "toy", embed: (texts, { purpose }) => texts.map((text) => [text.length, purpose === "query" ? 0 : 1]) } };
await openMemory({ ...options, embed: openAIEmbeddings({ baseUrl: "http://x", model: "m", dimensions: 3, maxTexts: 8, timeoutMs: 1000 }) });
await openMemory({ ...options, embed: ollamaEmbeddings({ model: "m", pull: true, onProgress: (told) => void (told.phase === "download" ? told.file.length : told.total) }) });
await openMemory({ ...options, embed: workersAIEmbeddings({ run: async (model: string, inputs: { text: string[] }) => [model, inputs] }, { model: "m", onProgress: (told: EmbedderProgress) => void told }) });
const extract = async (texts: string | string[], { pooling }: { pooling?: "none" | "mean" | "cls" } = {}) => ({ dims: [texts.length], data: pooling });
const local = transformersEmbeddings({ model: "m", transformers: async () => ({ pipeline: async (task: "feature-extraction") => task }) });
await local.load({ signal: AbortSignal.timeout(10) });
const embedded: Float32Array[] = await transformersEmbeddings({ model: "m", pipeline: extract, prefixes: false }).embed(["x"], { signal: AbortSignal.timeout(10), purpose: "query" });
await openMemory({ ...options, embed: local });
// @ts-expect-error texts are embedded to be searched for or to be found
await local.embed(["x"], { signal: AbortSignal.timeout(10), purpose: "passage" });
// @ts-expect-error a model is needed
transformersEmbeddings({});
await openMemory({ name: "x", llm: openAICompatible({ baseUrl: "http://x", model: "m" }) });
await openMemory({ name: "x", llm: (await builtInModel()) ?? undefined, extraction: { auto: false, trigger: { messages: 4, everyMs: 1000 }, ttl: { learnedMs: 1000 } } });
// @ts-expect-error texts are embedded to search or to be found
await openMemory({ ...options, embed: { id: "toy", embed: (texts, { purpose }) => (purpose === "passage" ? [] : [[texts.length]]) } });
// @ts-expect-error a name is needed
await openMemory({ storage: "memory" });
// @ts-expect-error no such storage
await openMemory({ name: "x", storage: "disk" });
// @ts-expect-error an embedder has an id
await openMemory({ name: "x", embed: { embed: () => [] } });
// @ts-expect-error no such option
await openMemory({ name: "x", model: "m" });

// A scope can be named, with and without its schemas.
const plain: Scope = bare.scope({ a: "b" });
const typed: Scope<{ readonly p: { readonly properties: { readonly a: { readonly type: "string" } } } }> = (
  await openMemory({ name: "x", profiles: { p: { properties: { a: { type: "string" } } } } })
).scope({ a: "b" });
same<Awaited<ReturnType<typeof typed.profiles.get>>["p"]["profile"], { a?: string }>();
await plain.facts.list();

// Threads: what is trimmed keeps its type, and a summary may be absent.
const given = [{ role: "user", content: "Hi", mine: 1 }] as const;
same<Awaited<ReturnType<typeof trimGiven>>["messages"], Array<{ readonly role: "user"; readonly content: "Hi"; readonly mine: 1 }>>();
const trimGiven = () => plain.threads.trim({ messages: given, maxTokens: 100, startOn: "user", endOn: ["user", "tool"] });
same<Awaited<ReturnType<typeof trimStored>>["messages"], StoredMessage[]>();
const trimStored = () => plain.threads.trim({ threadId: "t", maxTokens: 100, strategy: "first" });
same<Awaited<ReturnType<typeof plain.threads.summary>>, Summary | null>();
await plain.threads.append({ role: "assistant", content: null, tool_calls: [{ id: "a" }] });
declare const completion: OpenAI.Chat.ChatCompletionMessage;
await plain.threads.append({ role: completion.role, content: completion.content, tool_calls: completion.tool_calls });
declare const params: OpenAI.Chat.ChatCompletionMessageParam[];
// What the SDKs hand out can be remembered as it is.
declare const response: OpenAI.Responses.Response;
declare const reply: Anthropic.Message;
declare const turns: Anthropic.MessageParam[];
declare const uiMessages: Array<{ id: string; role: "system" | "user" | "assistant"; metadata?: unknown; parts: Array<{ type: "text"; text: string }> }>;
await plain.remember(completion);
await plain.remember([...params, completion]);
await plain.threads.append(response.output);
await plain.remember([{ role: "user", content: "Hi" }, ...response.output]);
await plain.remember(reply);
await plain.remember(turns);
await plain.remember(uiMessages);
await plain.generate({ messages: [...params, reply] });
// @ts-expect-error no such role
await plain.remember({ role: "wizard", content: "Hi" });
const trimmedParams = (await plain.threads.trim({ messages: params, maxTokens: 100 })).messages;
same<typeof trimmedParams, OpenAI.Chat.ChatCompletionMessageParam[]>();
await plain.threads.search("x", { role: ["user"], from: new Date(), to: 5 });
// @ts-expect-error either messages or a thread
plain.threads.trim({ maxTokens: 100 });
// @ts-expect-error no such role
plain.threads.search("x", { role: "wizard" });
await openMemory({ name: "x", countTokens: (text) => text.length, summaries: { method: "recursive", levels: ["thread"] } });
// @ts-expect-error counts at once
await openMemory({ name: "x", countTokens: async (text: string) => text.length });

// Errors narrow by class and by code.
const error: unknown = undefined;
if (error instanceof MnemicError) same<typeof error.code, string>();
if (error instanceof ForgottenError) same<typeof error.code, "Forgotten">();

// A Durable Object's storage, and a module of one's own.
declare const storage: Parameters<typeof durableObjectStorage>[0];
const object: StorageObject = durableObjectStorage(storage);
const fileOptions: FileStorageOptions = { durability: "relaxed" };
const file: StorageObject = fileStorage("chat.mnemic", fileOptions);
const bytes: Uint8Array | undefined = file.readAt?.("head", 0, 8);
// @ts-expect-error a file is named by a text
fileStorage(new URL("file:///chat.mnemic"));
const openSlim = opener({ loadModule: async () => (await import("node:fs")) as never });
await (await openSlim({ name: "x", storage: object })).close();

// Tools and prompts are what the clients of the providers take.
const functionTools: OpenAI.Chat.ChatCompletionTool[] = await user.tools("openai");
const messageTools: Anthropic.Tool[] = await user.tools("anthropic", { include: ["facts", "context"] });
const protocolTools: ProtocolTool[] = await user.tools("mcp");
void [functionTools, messageTools, protocolTools];
// @ts-expect-error there is no such format
void user.tools("gemini");
// @ts-expect-error there is no such set
void user.tools("mcp", { include: ["files"] });
const called = await user.callTool("facts_add", { text: "Alice sails" }, { threadId: "today" });
same<typeof called.isError, boolean | undefined>();
const plainPrompt = await user.context.assemble({ maxTokens: 500, sections: { facts: 0.5, messages: { priority: 9 } } });
same<typeof plainPrompt.text, string>();
// @ts-expect-error a text has no messages
void plainPrompt.messages;
const chatPrompt = await user.context.assemble({ maxTokens: 500, query: "Where?", as: "openai" });
const chatMessages: OpenAI.Chat.ChatCompletionMessageParam[] = chatPrompt.messages;
const messagesPrompt = await user.context.assemble({ maxTokens: 500, as: "anthropic" });
const request: Pick<Anthropic.MessageCreateParams, "system" | "messages"> = {
  system: messagesPrompt.system,
  messages: messagesPrompt.messages,
};
void [chatMessages, request];
// @ts-expect-error the question is never cut
void user.context.assemble({ maxTokens: 500, sections: { question: 0.5 } });

same<Awaited<ReturnType<typeof user.context.blocks.list>>, Block[]>();
same<Awaited<ReturnType<typeof user.context.archive.search>>, Array<Passage & Scored>>();
same<Awaited<ReturnType<typeof user.context.step>>, Stepped>();
same<Stepped["stopped"], "sent" | "reply" | "calls" | "tokens" | "loop" | "aborted">();
await user.context.step([{ role: "user", content: "Hi", createdAt: new Date() }], { maxCalls: 3, signal: AbortSignal.timeout(9) });
await user.context.call("send_message", '{"message":"Hi"}', { threadId: "a" });
await user.context.load("text", { name: "a", tags: ["b"], passageTokens: 100 });
await user.context.archive.search({ query: "a", tags: ["b"], match: "all", page: 1 });
// @ts-expect-error a document has a name
await user.context.load("text");
// @ts-expect-error tags match any or all
await user.context.archive.search({ query: "a", match: "some" });
// @ts-expect-error a block has a label
await user.context.blocks.set({ value: "a" });
void openMemory({ name: "a", context: { window: 4000, blocks: [{ label: "human", limit: 500 }], warning: 0.8 } });

const receipt = await user.forget({ ids: ["x"] }, { preview: true, limit: 10 });
same<typeof receipt.forgotten.message, number | undefined>();
same<typeof receipt.commitId, string | undefined>();
await user.forget({ threadId: "t" });
await user.forget({ from: new Date(), to: 5 });
await user.forget({ to: 5 });
await user.forget({ filter: {}, kinds: ["fact"] });
await user.forget({ scope: true });
const wanted = await user.forget({ query: "doctor" });
void wanted.found?.map(({ id, kind, text, threadId }) => [id, kind, text, threadId]);
// @ts-expect-error: something has to be named.
void user.forget({});
// @ts-expect-error: a scope is forgotten or not named.
void user.forget({ scope: false });
await openMemory({ name: "x", extraction: { ttl: { expired: "forget" } } });

const [commit] = await user.commits.list({ causes: ["user", "extract"], before: "x", limit: 1 });
same<typeof commit, Commit | undefined>();
same<Commit["obstacle"], "undone" | "changed" | "forgotten" | "nothing" | undefined>();
// @ts-expect-error there is no such cause
void user.commits.list({ causes: ["me"] });

const chat = user.temporary();
same<typeof chat.memory, typeof user>();
same<Awaited<ReturnType<typeof chat.save>>["commitIds"], string[]>();
const temporaryPrompt = await chat.assemble({ maxTokens: 500, as: "anthropic" });
same<typeof temporaryPrompt.system, typeof messagesPrompt.system>();
// @ts-expect-error the chat is its own thread
void chat.assemble({ maxTokens: 500, threadId: "today" });
// @ts-expect-error a thread has a name
void chat.save({});
const reader = user.readOnly();
same<typeof reader, typeof user>();

const guard: GuardOptions = { secrets: "refuse", nationalIds: ["kr", "us"] };
void openMemory({ name: "a", guard });
// @ts-expect-error there is no such country here
void openMemory({ name: "a", guard: { nationalIds: ["xx"] } });
// @ts-expect-error secrets are masked, refused or kept
void openMemory({ name: "a", guard: { secrets: "hide" } });
const remembered: Remembered = await user.remember({ role: "user", content: "a" });
same<NonNullable<Remembered["masked"]>[number]["index"], number>();
remembered.masked?.some(({ kind }) => kind === "card");

same<Awaited<ReturnType<typeof memory.encryption.status>>, EncryptionStatus>();
same<EncryptionStatus["by"], "passphrase" | "passkey" | "key" | undefined>();
same<Awaited<ReturnType<typeof user.encryption.status>>, ScopeEncryptionStatus>();
void user.encryption.change({ passkey: true }).then(() => user.encryption.lock());
void user.encryption.unlock({ passphrase: "other words" });
// @ts-expect-error
void user.encryption.unlock({ pin: "1234" });
memory.on("lock", ({ scope, locked }: LockEvent) => console.log(scope["userId"], locked satisfies boolean));
void openMemory({ name: "a", encryption: { passkey: { rpId: "example.org" } } });
void memory.encryption.change({ key: await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt"]) });
// @ts-expect-error a passphrase is a text
void openMemory({ name: "a", encryption: { passphrase: 1234 } });
// @ts-expect-error there is one key
void memory.encryption.change({ pin: "1234" });

same<ReturnType<typeof memory.export>, ReadableStream<Uint8Array<ArrayBuffer>>>();
const restored = await memory.import(new Blob([]), { mode: "replace", passphrase: "x", onProgress: ({ done, total }) => [done, total] });
same<typeof restored.commits, Array<{ scope: typeof user.scope; commitId: string }>>();
// @ts-expect-error a backup is bytes
void memory.import("text");
// @ts-expect-error there is no such mode
void memory.import(new Uint8Array(0), { mode: "both" });
for await (const { path, text } of user.exportFiles()) same<[typeof path, typeof text], [string, string]>();
const backupState = await memory.backup.state();
same<typeof backupState.permission, "granted" | "prompt" | "denied" | undefined>();

const pool = memoryPool({ open: (name) => openMemory({ name, profiles: { a: { type: "object", properties: { b: { type: "string" } } } } }) });
const pooled = await pool.use("alice", async (opened) => (await opened.scope({ u: "a" }).profiles.get()).a.profile.b);
same<typeof pooled, string | undefined>();
same<typeof pool.waiting, number>();
const evicted = await pool.evict("alice", async () => "gone");
same<typeof evicted, string>();
// @ts-expect-error what is kept open can be closed
memoryPool({ open: async () => 1 });
void openMemory({ name: "a", storage: sqliteStorage("a.db", { durability: "relaxed", busyTimeoutMs: 100 }) });
same<ReturnType<SqliteStorage["readAt"]>, Uint8Array | undefined>();
// @ts-expect-error there is no such durability
sqliteStorage("a.db", { durability: "none" });

await user.facts.add({ text: "x", dates: { since: "spring 2021", until: "2023" } });
await user.generate({ messages: { role: "assistant", name: "Theo", content: "I row." }, participants: ["Theo"] });
void openMemory({ name: "a", extraction: { participants: ["Rosa", "Theo"] } });
same<NonNullable<Awaited<ReturnType<typeof user.facts.get>>>["dates"], { since?: string; until?: string } | undefined>();
// @ts-expect-error a date is a text
await user.facts.add({ text: "x", dates: { since: 2021 } });

const PROFILES = { settings: { type: "object", properties: { language: { enum: ["de", "en"] } } } } as const;
const openTyped = () => openMemory({ name: "a", profiles: PROFILES });
MemoryProvider({ memory: openTyped, user: { userId: "ana" } });
MemoryProvider({ memory, user: null, children: "text" });
// @ts-expect-error a promise is opened too early
MemoryProvider({ memory: openTyped(), user: { userId: "ana" } });
// @ts-expect-error whose memory it is must be said
MemoryProvider({ memory: openTyped });
const known = useFacts({ limit: 5, filter: { category: "goal" } });
same<typeof known.data, Fact[] | undefined>();
if (known.error === undefined && !known.pending) same<typeof known.data, Fact[]>();
same<NonNullable<ReturnType<typeof useRecall>["data"]>, Recalled>();
// @ts-expect-error what nobody waits for is aborted by the hook
useFacts({ signal: new AbortController().signal });
// @ts-expect-error the options are those of facts.list
useFacts({ count: 5 });
same<NonNullable<ReturnType<typeof useProfile<typeof PROFILES>>["data"]>["settings"]["profile"]["language"], "de" | "en" | undefined>();
void useMemory<typeof PROFILES>().user?.profiles.set("settings", "language", "de");
// @ts-expect-error the schema knows no such language
void useMemory<typeof PROFILES>().user?.profiles.set("settings", "language", "fr");
const shownThread = useThread("today", { pageSize: 20 });
same<typeof shownThread.data, StoredMessage[] | undefined>();
same<ReturnType<typeof shownThread.remember>, Promise<Remembered>>();
// @ts-expect-error the thread is the hook's
void shownThread.append({ role: "user", content: "x" }, { threadId: "other" });
same<ReturnType<typeof shownThread.send>, Promise<string>>();
void shownThread.send("x", async (remembered, messages) => `${remembered.length} ${messages.length}`, { maxTokens: 100 });
// @ts-expect-error the thread is the hook's
void shownThread.send("x", () => "y", { currentThreadId: "other" });
const { last: lastCommit, undo: undoLast } = useUndo({ causes: ["user"] });
same<typeof lastCommit, Commit | undefined>();
void undoLast().then(({ commitId }) => undoLast(commitId ?? ""));
same<ReturnType<typeof useLive<number>>["data"], number | undefined>();
useLive("entities", async (scope) => (await scope.graph.list()).length, ["entity", "relation"]);
const panelInReact: JSX.IntrinsicElements["mnemic-panel"] = { user: useMemory<typeof PROFILES>().user, sections: "facts search", model: true, className: "wide" };
const devtoolsInReact: JSX.IntrinsicElements["mnemic-devtools"] = { memory: useMemory().memory };
void [panelInReact, devtoolsInReact];
// @ts-expect-error the panel shows a user's part, not the whole memory
void ({ user: memory } satisfies JSX.IntrinsicElements["mnemic-panel"]);
// @ts-expect-error there is no such kind
useLive("x", async () => 1, ["task"]);
provideMemory(openTyped, () => null);
same<ReturnType<typeof useFactsOfVue>["data"]["value"], Fact[] | undefined>();
void useThreadOfVue(() => "today").remember({ role: "user", content: "x" });
provideSvelte(openTyped, { userId: "ana" });
liveFacts({ limit: 2 }).subscribe(({ data }) => same<typeof data, Fact[] | undefined>());
liveThread("today").subscribe(({ showEarlier }) => void showEarlier());
