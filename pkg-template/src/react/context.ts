"use client";
/** What the hooks of a page's part share: whose memory it is. */
import { createContext, createElement, useContext, useEffect, useMemo, useState, type ReactElement, type ReactNode } from "react";
import { InvalidInputError } from "../errors.js";
import { openingOf, type GivenMemory } from "../live/opening.js";
import { LiveUser, userKey } from "../live/user.js";
import type { ScopePairs } from "../types.js";

const Shared = createContext<LiveUser | undefined>(undefined);

/** The properties of `MemoryProvider`. */
export interface MemoryProviderProps {
  /**
   * A function that opens the memory, such as `() => openMemory({ name: "chat" })`, or a memory that is open. The function is called
   * in the browser when the provider is mounted, and the memory is closed when the last provider of the same function is gone; a memory
   * that you opened is yours to close. The provider keeps its first function: give it another `key` to open another memory.
   */
  readonly memory: GivenMemory;
  /** Whose memory is shown, as for `memory.scope`. With another user nothing of the former is shown. Null: nobody is logged in, and nothing is asked. */
  readonly user: ScopePairs | null;
  readonly children?: ReactNode;
}

/**
 * Gives the hooks below it the memory of a user.
 *
 * @example
 * ```ts no-run
 * import { createElement } from "react";
 * import { openMemory } from "mnemic";
 * import { MemoryProvider } from "mnemic/react";
 *
 * const open = () => openMemory({ name: "my-chat" });
 * const App = () => createElement(MemoryProvider, { memory: open, user: { userId: "ana" } }, "...");
 * ```
 */
export function MemoryProvider({ memory, user, children }: MemoryProviderProps): ReactElement {
  const [first] = useState(() => memory);
  const opening = openingOf(typeof memory === "function" && typeof first === "function" ? first : memory);
  const key = userKey(user);
  // The key is the user, whatever object says it.
  const live = useMemo(() => new LiveUser(opening, user), [opening, key]);
  useEffect(() => opening.take(), [opening]);
  return createElement(Shared.Provider, { value: live }, children);
}

/** The user of the nearest provider. @throws InvalidInputError when there is none. */
export function useLiveUser(hook: string): LiveUser {
  const live = useContext(Shared);
  if (live === undefined) throw new InvalidInputError(`${hook}: there is no <MemoryProvider> above this component; put one around the app`);
  return live;
}
