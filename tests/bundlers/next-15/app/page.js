"use client";
import { openMemory } from "mnemic";
import { useEffect } from "react";
import { show } from "../../conversation.js";

let shown;

export default function Page() {
  useEffect(() => {
    shown ??= show(openMemory, { worker: true }, ...(process.env.NEXT_PUBLIC_SHARED ? [{ worker: "shared" }] : []));
  }, []);
  return <main>A page with a memory</main>;
}
