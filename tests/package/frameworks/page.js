/** What the pages of all frameworks share: a memory that counts how often it is opened, closed and asked, and what a test does to them. */
import { openMemory } from "mnemic";

/** What happened in this page. */
globalThis.told = { opened: 0, closed: 0, calls: {}, shown: [] };

/** Counts the calls of methods that read, on the classes behind a scope. */
let isCounting = false;
function count(user) {
  if (isCounting) return;
  isCounting = true;
  for (const [name, owner, method] of [
    ["facts.list", user.facts, "list"],
    ["profiles.get", user.profiles, "get"],
    ["threads.messages", user.threads, "messages"],
    ["commits.list", user.commits, "list"],
    ["recall", user, "recall"],
  ]) {
    const prototype = Object.getPrototypeOf(owner);
    const original = prototype[method];
    prototype[method] = function (...given) {
      told.calls[name] = (told.calls[name] ?? 0) + 1;
      return original.apply(this, given);
    };
  }
}

/** The options of the page's memory; a test may change them before the page is shown. */
globalThis.options = { name: "frameworks" };

/** Holds opening back until a test lets go. */
globalThis.gate = undefined;

export async function open() {
  told.opened += 1;
  await globalThis.gate;
  const memory = await openMemory(globalThis.options);
  count(memory.scope({ userId: "nobody" }));
  const close = memory.close.bind(memory);
  memory.close = () => close().then(() => void (told.closed += 1));
  globalThis.memory = memory;
  return memory;
}

/** Notes what a component shows: whose it is, and the texts. */
export function note(user, texts) {
  told.shown.push([user?.userId, ...texts]);
}
