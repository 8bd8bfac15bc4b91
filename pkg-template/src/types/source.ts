/** Where something comes from, and how far it is trusted. */

/** How far a source is trusted, from the user's own words to what strangers wrote on the web. */
export type Trust = "user" | "assistant" | "tool" | "document" | "web";

/** Who wrote it: the app or its user, a model, or the rules that need no model. */
export type Origin = "user" | "model" | "rules";

/** The words of a message that something was learned from. */
export interface Source {
  messageId: string;
  threadId: string;
  /** The quoted words; empty when the whole message is the source. */
  quote: string;
  /** How far the message is trusted; absent for the user's own. */
  trust?: Trust;
}
