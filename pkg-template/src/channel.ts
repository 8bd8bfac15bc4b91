/** How the tabs of one origin tell each other of commits. */

/** A line between all open memories of one name. */
export interface Channel {
  /** Tells the others that there is something to read. */
  announce(): void;
  close(): void;
}

/** Opens the line of a name; without BroadcastChannel, nobody hears and nobody is heard. */
export function openChannel(name: string, heard: () => void): Channel {
  if (typeof BroadcastChannel === "undefined") return { announce() {}, close() {} };
  const channel = new BroadcastChannel(`mnemic:${name}`);
  channel.onmessage = heard;
  return { announce: () => channel.postMessage("commit"), close: () => channel.close() };
}
