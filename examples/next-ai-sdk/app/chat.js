"use client";
import { useChat } from "@ai-sdk/react";
import { useState } from "react";

export default function Chat({ thread, history }) {
  const { messages, sendMessage, regenerate, stop, status, error } = useChat({ id: thread, messages: history });
  const [words, setWords] = useState("");
  const isBusy = status === "submitted" || status === "streaming";

  function send(event) {
    event.preventDefault();
    sendMessage({ text: words });
    setWords("");
  }

  return (
    <main data-status={status}>
      <h1>A chat that remembers</h1>
      <nav>
        <a href="/?thread=first">First chat</a> · <a href="/?thread=second">Second chat</a>
      </nav>
      {messages.map(({ id, role, parts }) => (
        <p key={id} data-role={role} style={{ whiteSpace: "pre-wrap" }}>
          {role === "user" ? "You: " : "Assistant: "}
          {parts.map((part, index) => part.type === "text" && <span key={index}>{part.text}</span>)}
        </p>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form onSubmit={send}>
        <input aria-label="Message" value={words} onChange={(event) => setWords(event.target.value)} autoFocus />{" "}
        <button disabled={isBusy || words.trim() === ""}>Send</button>{" "}
        <button type="button" onClick={stop} disabled={!isBusy}>
          Stop
        </button>{" "}
        <button type="button" onClick={() => regenerate()} disabled={isBusy || messages.length === 0}>
          Again
        </button>
      </form>
    </main>
  );
}
