"use client";
/**
 * React components and hooks that show a memory and stay current.
 *
 * @packageDocumentation
 */
export { MemoryProvider, type MemoryProviderProps } from "./context.js";
export type { DevtoolsProps, PanelProps } from "./elements.js";
export { useFacts, useLive, useMemory, useProfile, useRecall, useThread, useUndo } from "./hooks.js";
export type { LiveThread, LiveUndo, ThreadCalls, UndoCalls } from "../live/calls.js";
export type { GivenMemory } from "../live/opening.js";
export type { ChangedKind } from "../live/query.js";
export type { ThreadOptions, Wanted } from "../live/questions.js";
export type { ReplyingModel, SendOptions } from "../live/sending.js";
export type { Live, Standing } from "../live/state.js";
export type { UsedMemory } from "../live/user.js";
