/** How the tabs of one origin tell each other of commits. */

/** A line between all open memories of one name. */
export interface Channel {
  /** Tells the others that there is something to read. */
  announce(): void;
  close(): void;
}

/**
 * Opens the line of a name; without BroadcastChannel, nobody hears and nobody is heard. A memory that is alone announces nothing:
 * a message costs as much as a small write. Who opens the line says so, and is answered.
 */
export function openChannel(name: string, heard: () => void): Channel {
  if (typeof BroadcastChannel === "undefined") return { announce() {}, close() {} };
  const channel = new BroadcastChannel(`mnemic:${name}`);
  let isAlone = true;
  channel.onmessage = ({ data }) => {
    isAlone = false;
    // The newcomer may have missed what was stored while it opened.
    if (data === "open") channel.postMessage("commit");
    else heard();
  };
  channel.postMessage("open");
  return {
    announce() {
      if (!isAlone) channel.postMessage("commit");
    },
    close: () => channel.close(),
  };
}
