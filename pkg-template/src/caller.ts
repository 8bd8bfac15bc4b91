/** How the parts of a scope reach the engine. */

/** Calls a method in one scope: its name, its arguments, and the options of the caller. */
export type Caller = <Result>(method: string, input: object, options?: unknown) => Promise<Result>;
