import { useState } from "react";
import {
  ActionBarPrimitive,
  AssistantRuntimeProvider,
  AuiIf,
  BranchPickerPrimitive,
  ComposerPrimitive,
  ErrorPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
} from "@assistant-ui/react";
import { useFacts, useMemory } from "mnemic/react";
import { Memory, useRememberingRuntime } from "./memory.jsx";
import { model } from "./model.js";

const THREADS = ["First chat", "Second chat"];

export function App() {
  const [thread, setThread] = useState(THREADS[0]);
  return (
    <Memory>
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
      <main>
        <WhenOpen>{(user) => <Chat key={thread} user={user} threadId={thread} />}</WhenOpen>
      </main>
      <aside aria-label="What I remember">
        <h2>What I remember</h2>
        <WhenOpen>{(user) => <Known user={user} />}</WhenOpen>
      </aside>
    </Memory>
  );
}

function WhenOpen({ children }) {
  const { user, error } = useMemory();
  if (error) return <p role="alert">{error.message}</p>;
  return user ? children(user) : <p>One moment …</p>;
}

function Chat({ user, threadId }) {
  const runtime = useRememberingRuntime(user, threadId, model);
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root className="thread">
        <ThreadPrimitive.Viewport className="viewport" role="log" aria-label={threadId} tabIndex={0}>
          <ThreadPrimitive.Messages>{({ message }) => <Message role={message.role} />}</ThreadPrimitive.Messages>
        </ThreadPrimitive.Viewport>
        <ComposerPrimitive.Root className="composer">
          <ComposerPrimitive.Input aria-label="Message" placeholder="Tell me where you live" dir="auto" rows={1} autoFocus />
          <AuiIf condition={({ thread }) => !thread.isRunning}>
            <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
          </AuiIf>
          <AuiIf condition={({ thread }) => thread.isRunning}>
            <ComposerPrimitive.Cancel>Stop</ComposerPrimitive.Cancel>
          </AuiIf>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

function Message({ role }) {
  return (
    <MessagePrimitive.Root>
      <div className="message" data-role={role} dir="auto">
        <MessagePrimitive.Parts />
        <MessagePrimitive.Error>
          <ErrorPrimitive.Root role="alert">
            <ErrorPrimitive.Message />
          </ErrorPrimitive.Root>
        </MessagePrimitive.Error>
      </div>
      {role === "assistant" && <Again />}
    </MessagePrimitive.Root>
  );
}

function Again() {
  return (
    <ActionBarPrimitive.Root className="again" hideWhenRunning autohide="not-last">
      <ActionBarPrimitive.Reload>Again</ActionBarPrimitive.Reload>
      <BranchPickerPrimitive.Root className="again" hideWhenSingleBranch>
        <BranchPickerPrimitive.Previous aria-label="The reply before">‹</BranchPickerPrimitive.Previous>
        <span>
          <BranchPickerPrimitive.Number /> of <BranchPickerPrimitive.Count />
        </span>
        <BranchPickerPrimitive.Next aria-label="The reply after">›</BranchPickerPrimitive.Next>
      </BranchPickerPrimitive.Root>
    </ActionBarPrimitive.Root>
  );
}

function Known({ user }) {
  const { data: facts = [], error } = useFacts({ limit: 20 });
  if (error) return <p role="alert">{error.message}</p>;
  if (facts.length === 0) return <p>Nothing yet. Tell me where you live.</p>;
  return (
    <ul>
      {facts.map(({ id, text }) => (
        <li key={id} dir="auto">
          <span>{text}</span>
          <button aria-label={`Delete: ${text}`} onClick={() => user.facts.delete(id)}>
            Delete
          </button>
        </li>
      ))}
    </ul>
  );
}
