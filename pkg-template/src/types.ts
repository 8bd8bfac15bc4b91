/** The plain values of arguments and results. All times in results are milliseconds since 1970 UTC. */
export type * from "./types/action.js";
export type * from "./types/background.js";
export type * from "./types/call.js";
export type * from "./types/fact.js";
export type * from "./types/graph.js";
export type * from "./types/inspection.js";
export type * from "./types/learning.js";
export type * from "./types/message.js";
export type * from "./types/profile.js";
export type * from "./types/recall.js";
export type * from "./types/revision.js";
export type * from "./types/score.js";
export type * from "./types/source.js";
export type * from "./types/thread.js";
export type * from "./types/usage.js";
