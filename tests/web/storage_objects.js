// What a page can do to its storages, and the storage objects an application might bring along.

const images = new Map();
const HEAD = "head";

function counter(value) {
  return value === undefined ? 0 : Number(new DataView(value.buffer, value.byteOffset).getBigUint64(0, true));
}

function refusal(code, message) {
  return Object.assign(new Error(message), { code });
}

function apply(image, batch, expectedHead, maxBytes) {
  const head = counter(image.get(HEAD));
  if (head !== expectedHead) throw refusal("Conflict", `head is ${head}`);
  const next = new Map(image);
  for (const [key, value] of batch.puts) next.set(key, value);
  for (const key of batch.deletes) next.delete(key);
  let bytes = 0;
  for (const [key, value] of next) bytes += key.length + value.length;
  if (bytes > maxBytes) throw refusal("QuotaExceeded", `${bytes} bytes`);
  image.clear();
  for (const [key, value] of next) image.set(key, value);
}

function range(image, start, end) {
  const pairs = [...image].filter(([key]) => start <= key && key < end);
  return pairs.sort(([a], [b]) => (a < b ? -1 : 1));
}

function imageOf(name) {
  if (!images.has(name)) images.set(name, new Map());
  return images.get(name);
}

// A class, so that `this` must be right.
class Plain {
  constructor(name, maxBytes = Infinity) {
    this.image = imageOf(name);
    this.maxBytes = maxBytes;
  }
  read(start, end) {
    return range(this.image, start, end);
  }
  write(batch, expectedHead) {
    apply(this.image, batch, expectedHead, this.maxBytes);
  }
}

class Slow extends Plain {
  async read(start, end) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return super.read(start, end);
  }
  async write(batch, expectedHead) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    super.write(batch, expectedHead);
  }
  async close() {}
}

export const plainObject = (name) => new Plain(name);
export const slowObject = (name) => new Slow(name);
export const smallObject = (name, maxBytes) => new Plain(name, maxBytes);

/** An object whose methods are made from source text. */
export function scriptedObject(read, write, close) {
  const method = (body, ...names) => (body === undefined ? undefined : new Function(...names, body));
  return {
    read: method(read, "start", "end"),
    write: method(write, "batch", "expectedHead"),
    close: method(close),
  };
}

export const evaluate = (source) => new Function(`return (${source});`)();

/** Puts something else in a property's place; the answer puts the old one back. */
function replace(object, property, descriptor) {
  const old = Object.getOwnPropertyDescriptor(object, property);
  Object.defineProperty(object, property, { configurable: true, ...descriptor });
  return () => (old ? Object.defineProperty(object, property, old) : delete object[property]);
}

export const withoutIndexedDb = () => replace(globalThis, "indexedDB", { value: undefined });

export const refusedIndexedDb = () =>
  replace(globalThis, "indexedDB", {
    get() {
      throw new DOMException("access is denied for this document", "SecurityError");
    },
  });

/** Every put after this many throws for lack of room. */
export function fullAfter(puts) {
  const put = IDBObjectStore.prototype.put;
  let left = puts;
  return replace(IDBObjectStore.prototype, "put", {
    value(...args) {
      if (left-- <= 0) throw new DOMException("no room", "QuotaExceededError");
      return put.apply(this, args);
    },
  });
}

/** The next transaction finds its connection closing, as Safari does after the background. */
export function closingOnce() {
  const transaction = IDBDatabase.prototype.transaction;
  let closing = true;
  return replace(IDBDatabase.prototype, "transaction", {
    value(...args) {
      if (closing) {
        closing = false;
        throw new DOMException("The database connection is closing.", "InvalidStateError");
      }
      return transaction.apply(this, args);
    },
  });
}

/** What durabilities transactions ask for from now on. */
export function watchDurability(seen) {
  const transaction = IDBDatabase.prototype.transaction;
  return replace(IDBDatabase.prototype, "transaction", {
    value(stores, mode, options) {
      const made = transaction.call(this, stores, mode, options);
      seen.push(`${mode} ${made.durability}`);
      return made;
    },
  });
}

function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
}

export const deleteDatabase = (name) => settled(indexedDB.deleteDatabase(name));

/** Makes a database as a newer version of the library would. */
export async function makeNewer(name) {
  (await settled(indexedDB.open(name, 3))).close();
}

/** Makes a database as version 1 was: every value is a `Uint8Array`. */
export async function makeFirst(name, entries) {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("pairs");
  const database = await settled(opening);
  const transaction = database.transaction("pairs", "readwrite");
  for (const [key, value] of entries) transaction.objectStore("pairs").put(value, key);
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();
}

/** A tab of version 1 that holds on to its database; the answer lets go. */
export async function holdFirst(name) {
  const database = await settled(indexedDB.open(name, 1));
  database.onversionchange = () => {};
  return () => database.close();
}

/** What sort of value there is under each key. */
export async function sortsOf(name) {
  const database = await settled(indexedDB.open(name));
  const store = database.transaction("pairs").objectStore("pairs");
  const [keys, values] = [await settled(store.getAllKeys()), await settled(store.getAll())];
  database.close();
  return keys.map((key, place) => `${key} ${values[place].constructor.name}`).join(", ");
}

/** So many of the next readings of Blobs fail, as those of files that are gone. */
export function failingBlobs(count) {
  const read = Blob.prototype.arrayBuffer;
  let left = count;
  return replace(Blob.prototype, "arrayBuffer", {
    async value() {
      if (left-- > 0) throw new DOMException("The requested file could not be found.", "NotFoundError");
      return read.call(this);
    },
  });
}

/** Puts a value that this library would not have put. */
export async function putForeign(name, key, value) {
  const database = await settled(indexedDB.open(name));
  const transaction = database.transaction("pairs", "readwrite");
  transaction.objectStore("pairs").put(value, key);
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();
}
