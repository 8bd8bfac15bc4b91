/** What React shows of a memory; on a server too. */
import { createElement as h, Suspense } from "react";
import { MemoryProvider, useFacts, useLive, useMemory, useProfile, useRecall, useThread, useUndo } from "mnemic/react";

const said = ({ data, error, pending }, write) => (pending ? "pending" : error ? error.name : write(data));
const texts = (facts) => facts.map(({ text }) => text).sort().join(" | ");

function Facts({ id, user, note }) {
  const facts = useFacts({ limit: 20 });
  note?.(user, facts.data?.map(({ text }) => text) ?? []);
  return h("p", { id }, said(facts, texts));
}

function Memory() {
  const { memory, user, error, pending } = useMemory();
  globalThis.user = user;
  return h("p", { id: "memory" }, pending ? "pending" : error ? error.name : `${memory.storage.kind} ${user?.scope.userId ?? "nobody"}`);
}

function Thread() {
  const thread = useThread("today", { pageSize: 3 });
  globalThis.thread = thread;
  return h("p", { id: "thread" }, said(thread, (messages) => `${messages.map(({ content }) => content).join(" | ")}${thread.hasEarlier ? " earlier" : ""}`));
}

function Undo() {
  const commits = useUndo({ causes: ["user"], limit: 5 });
  globalThis.undo = commits.undo;
  return h("p", { id: "undo" }, said(commits, () => commits.last?.summary ?? "nothing"));
}

function Others({ query }) {
  const profile = useProfile();
  const recall = useRecall(query, { maxTokens: 200 });
  const entities = useLive("entities", (user, signal) => user.graph.list({ signal }), ["entity"]);
  return [
    h("p", { key: 1, id: "profile" }, said(profile, (profiles) => profiles.settings?.profile.city ?? "no city")),
    h("p", { key: 2, id: "recall" }, said(recall, ({ known }) => `${known}${recall.stale ? " stale" : ""}`)),
    h("p", { key: 3, id: "entities" }, said(entities, (list) => list.map(({ name }) => name).join())),
  ];
}

export function Page({ user, open, note, query }) {
  return h(
    MemoryProvider,
    { memory: open, user: user && { ...user } },
    h(Suspense, { fallback: "suspended" }, h(Memory), h(Facts, { id: "facts", user, note }), h(Facts, { id: "same", user }), h(Thread), h(Undo), h(Others, { query })),
  );
}
