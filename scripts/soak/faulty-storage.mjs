/** A storage of which one call goes wrong. */
import { apply, checkHead, range } from "../map-storage.mjs";

/** What a storage throws. */
const error = (code) => Object.assign(new Error("the disk is on fire"), code && { code });

const never = () => new Promise(() => {});

/**
 * What may go wrong, by name: what `read` and `write` do instead. `answer` and `apply` are what they should have done. A write is
 * never torn: that storages do not do this is the one thing that the engine has to rely on.
 * `isUntrue` marks what nobody can tell from the truth: a storage that says it has stored what it has not, or lacks what it has. What is
 * done on top of that, until the memory is opened again, is not due.
 */
export const FAULTS = {
  "fails": { read: () => raise(error()), write: () => raise(error()) },
  "is full": { read: () => raise(error("QuotaExceeded")), write: () => raise(error("QuotaExceeded")) },
  "names a conflict": { read: () => raise(error("Conflict")), write: () => raise(error("Conflict")) },
  "throws nothing": { read: () => raise(undefined), write: () => raise(undefined) },
  "stores and fails": { read: () => raise(error()), write: (apply) => (apply(), raise(error())) },
  "stores and names a conflict": { read: () => raise(error("Conflict")), write: (apply) => (apply(), raise(error("Conflict"))) },
  "hangs": { read: never, write: never },
  "stores and hangs": { read: never, write: (apply) => (apply(), never()) },
  "answers null": { read: () => null, write: (apply) => (apply(), null) },
  "answers words": { read: () => "pairs", write: (apply) => (apply(), "stored") },
  "answers pairs of words": { read: (answer) => answer().map(([key]) => [key, "value"]), write: (apply) => (apply(), [["a", "b"]]) },
  "answers nothing": { isUntrue: true, read: () => [], write: (apply) => (apply(), undefined) },
  "leaves out every second pair": { isUntrue: true, read: (answer) => answer().filter((_, index) => index % 2 === 1) },
  "answers backwards": { read: (answer) => answer().reverse() },
  "answers other keys": { read: (answer) => [...answer(), ["zzz", new Uint8Array(9)]] },
  "turns a bit": { read: (answer) => answer().map(([key, value]) => [key, value.map((byte, index) => (index === 20 ? byte ^ 1 : byte))]) },
  "cuts values": { read: (answer) => answer().map(([key, value]) => [key, value.slice(0, value.length >> 1)]) },
  "stores nothing and says it did": { isUntrue: true, write: () => undefined },
};

function raise(thrown) {
  throw thrown;
}

/**
 * A storage on `pairs` whose call of this number goes wrong in one way.
 *
 * @param {Map<string, Uint8Array>} pairs what it holds, sound as ever
 * @param {object} fault one of `FAULTS`, or none
 * @param {number} at the number of the call, from 1
 * @returns {{storage: import("mnemic").StorageObject, calls: () => number, hasFailed: () => boolean, failed: Promise<void>}}
 */
export function faultyStorage(pairs, fault = {}, at = 0) {
  let calls = 0;
  let hasFailed = false;
  let tell;
  const failed = new Promise((resolve) => (tell = resolve));
  const call = (wrong, right) => {
    calls += 1;
    if (calls !== at || wrong === undefined) return right();
    hasFailed = true;
    tell();
    return wrong();
  };
  const storage = {
    async read(start, end) {
      const answer = () => range(pairs, start, end);
      return call(fault.read && (() => fault.read(answer)), answer);
    },
    async write(batch, expectedHead) {
      checkHead(pairs, expectedHead);
      const doApply = () => apply(pairs, batch);
      return call(fault.write && (() => fault.write(doApply)), doApply);
    },
  };
  return { storage, calls: () => calls, hasFailed: () => hasFailed, failed };
}
