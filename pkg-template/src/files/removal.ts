/** Removing the files of a memory in the origin's private file system, from wherever. */
import { alone } from "../lock.js";
import { home, removeEntry } from "./private.js";

/** The name of the folder of a memory. */
export const folderOf = (name: string): string => `${name}.files`;

/** The name of its lock, and of the channel on which its files are asked back. */
export const lineOf = (name: string): string => `mnemic:${name}:files`;

/** How long those who have files open are waited for, and how often they are asked. */
const PATIENCE_MS = 3000;
const ASKING_MS = 50;

/** Removes what a memory keeps there, also while it is open somewhere; whether there was anything. */
export async function removeOpfs(name: string): Promise<boolean> {
  const place = await home("opfs");
  return alone(lineOf(name), async () => {
    const line = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(lineOf(name));
    try {
      for (let waited = 0; ; waited += ASKING_MS) {
        try {
          return await removeEntry(place, folderOf(name));
        } catch (error) {
          if (waited >= PATIENCE_MS) throw error;
          line?.postMessage("release");
          await new Promise((resolve) => setTimeout(resolve, ASKING_MS));
        }
      }
    } finally {
      line?.close();
    }
  });
}

