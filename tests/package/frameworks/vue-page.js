/** What Vue shows of a memory; on a server too. */
import { defineComponent, h } from "vue";
import { provideMemory, useFacts, useLive, useMemory, useProfile, useRecall, useThread, useUndo } from "mnemic/vue";

const said = ({ data, error, pending }, write) => (pending.value ? "pending" : error.value ? error.value.name : write(data.value));
const texts = (facts) => facts.map(({ text }) => text).sort().join(" | ");

/** A page; `user` and `query` are refs. */
export const pageOf = ({ open, note, user, query }) => {
  const Facts = defineComponent({
    props: ["id"],
    setup(props) {
      const facts = useFacts({ limit: 20 });
      return () => {
        note?.(user.value, facts.data.value?.map(({ text }) => text) ?? []);
        return h("p", { id: props.id }, said(facts, texts));
      };
    },
  });

  return defineComponent({
    setup() {
      provideMemory(open, () => user.value && { ...user.value });
      const used = useMemory();
      const thread = useThread("today", { pageSize: 3 });
      const undo = useUndo({ causes: ["user"], limit: 5 });
      const profile = useProfile();
      const recall = useRecall(query, { maxTokens: 200 });
      const entities = useLive("entities", (user, signal) => user.graph.list({ signal }), ["entity"]);
      Object.assign(globalThis, { thread, undo: undo.undo });
      return () => {
        globalThis.user = used.user.value;
        return [
          h("p", { id: "memory" }, used.pending.value ? "pending" : used.error.value ? used.error.value.name : `${used.memory.value.storage.kind} ${used.user.value?.scope.userId ?? "nobody"}`),
          h(Facts, { id: "facts" }),
          h(Facts, { id: "same" }),
          h("p", { id: "thread" }, said(thread, (messages) => `${messages.map(({ content }) => content).join(" | ")}${thread.hasEarlier.value ? " earlier" : ""}`)),
          h("p", { id: "undo" }, said(undo, () => undo.last.value?.summary ?? "nothing")),
          h("p", { id: "profile" }, said(profile, (profiles) => profiles.settings?.profile.city ?? "no city")),
          h("p", { id: "recall" }, said(recall, ({ known }) => `${known}${recall.stale.value ? " stale" : ""}`)),
          h("p", { id: "entities" }, said(entities, (list) => list.map(({ name }) => name).join())),
        ];
      };
    },
  });
};
