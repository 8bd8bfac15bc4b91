import { useEffect, useRef, useState } from "react";
import { openMemory } from "mnemic";
import { MemoryProvider, useFacts, useMemory, useThread, useUndo } from "mnemic/react";
import { model } from "./model.js";

const open = () => openMemory({ name: "my-chat" });
const USER = { userId: "me" };
const THREADS = ["First chat", "Second chat"];

export function App() {
  const [thread, setThread] = useState(THREADS[0]);
  return (
    <MemoryProvider memory={open} user={USER}>
      <header>
        <h1>A chat that remembers</h1>
        <nav aria-label="Chats">
          {THREADS.map((name) => (
            <button key={name} aria-current={name === thread} onClick={() => setThread(name)}>
              {name}
            </button>
          ))}
        </nav>
      </header>
      <Chat key={thread} thread={thread} />
      <Known />
    </MemoryProvider>
  );
}

function Chat({ thread }) {
  const { data: messages = [], error, pending, hasEarlier, showEarlier, send } = useThread(thread);
  const [words, setWords] = useState("");
  const [failure, setFailure] = useState();
  const [isBusy, setBusy] = useState(false);
  const last = useRef(null);
  const newest = messages.at(-1)?.id;
  useEffect(() => last.current?.scrollIntoView({ block: "nearest" }), [newest]);

  async function say(event) {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      await send(words, model);
      setWords("");
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  }

  return (
    <main>
      <div role="log" aria-label={thread} aria-busy={pending} tabIndex={0}>
        {hasEarlier && <button onClick={showEarlier}>Earlier messages</button>}
        {messages.map(({ id, role, content }) => (
          <p key={id} data-role={role}>
            <b>{role === "user" ? "You" : "Assistant"}</b>
            <span dir="auto">{content}</span>
          </p>
        ))}
        <div ref={last} />
      </div>
      {(error ?? failure) && <p role="alert">{(error ?? failure).message}</p>}
      <form onSubmit={say}>
        <input aria-label="Message" value={words} onChange={(event) => setWords(event.target.value)} dir="auto" autoFocus />
        <button disabled={pending || isBusy || words.trim() === ""}>Send</button>
      </form>
    </main>
  );
}

function Known() {
  const { user } = useMemory();
  const { data: facts = [] } = useFacts({ limit: 20 });
  const { last, undo } = useUndo({ causes: ["user", "extract"], limit: 20 });
  const list = useRef(null);

  async function remove(id) {
    await user.facts.delete(id);
    // The button that was pressed is gone.
    list.current?.focus();
  }

  return (
    <aside aria-label="What I remember">
      <h2>What I remember</h2>
      {facts.length === 0 && <p>Nothing yet. Tell me where you live.</p>}
      <ul ref={list} tabIndex={-1} aria-label="Facts">
        {facts.map(({ id, text }) => (
          <li key={id}>
            <span dir="auto">{text}</span>
            <button aria-label={`Delete: ${text}`} onClick={() => remove(id)}>
              Delete
            </button>
          </li>
        ))}
      </ul>
      <button disabled={!last} onClick={() => undo()}>
        Undo{last && `: ${last.summary}`}
      </button>
    </aside>
  );
}
