/** What a journal needs of the system: a file, and the place where files are. */

/** An open file. Whatever fails throws the system's own error. */
export interface File {
  /** How many bytes it has. */
  size(): number;
  /** Whether nobody can open it any more. */
  isGone(): boolean;
  /** Reads from a position; how many bytes there were. */
  read(into: Uint8Array, at: number): number;
  /**
   * Adds bytes at the end, wherever that is by then, as one piece: what others add at the same time stands before or behind.
   * A crash or an error in between may leave the first of the bytes there.
   */
  append(bytes: Uint8Array): void;
  /** Writes over bytes that are there. */
  overwrite(bytes: Uint8Array, at: number): void;
  /** Brings what was written to the disk. */
  flush(): void | Promise<void>;
  close(): void;
}

/** Where the file of a memory is, and those that take its place. */
export interface Place {
  /** What the file is called in messages. */
  readonly name: string;
  /** Whether files can be used outside of `alone`. */
  readonly isHeld: boolean;
  /** Whether a memory that is open is never taken away by another page that deletes it. */
  readonly isKept: boolean;
  /** The file that counts; when there was none, a new journal. */
  open(): Promise<File>;
  /** A name for the next file beside it. */
  nextName(): string;
  /** A new journal beside it. */
  create(name: string): Promise<File>;
  /** Takes a file beside it away, with all its bytes; a missing one is no error. */
  remove(name: string): Promise<void>;
  /**
   * Puts a file beside it in the place of the one that counts, if that is not done yet; false when there is no such file, or the system
   * refuses that and nobody can do it any more, and the one that counts has to go on.
   */
  replace(name: string): Promise<boolean>;
  /** Takes away the bytes of a file that another took the place of, where it is kept for a while. */
  clear(): Promise<void>;
  /** Runs work that appends. Where appending is not atomic, one after the other, among all that have the place open. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): void;
}

/** Whether what a file threw says that there is no room. */
export function isFull(thrown: unknown): boolean {
  const { name, code } = (thrown ?? {}) as { name?: unknown; code?: unknown };
  return name === "QuotaExceededError" || code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
}
