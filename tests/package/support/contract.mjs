/**
 * What every storage object promises, written once and run on each. It runs in every runtime, so it names nothing of any.
 *
 * `open(name)` opens a handle on the storage of that name, making it if there is none. Two calls with one name are two handles on
 * one storage; what was written is there when it is opened again.
 */

const KEY_BYTES = 64;
const VALUE_BYTES = 1 << 20;
/** No key lies outside. */
const [FIRST, LAST] = ["\u0001", "\u007f"];

const encode = (text) => new TextEncoder().encode(text);

/** The value of a head: its counter, and what the engine keeps behind it. */
function head(counter, behind = []) {
  const bytes = new Uint8Array(8 + behind.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(counter), true);
  bytes.set(behind, 8);
  return ["head", bytes];
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

const shown = (value) => (value instanceof Uint8Array ? `${value.byteLength} bytes ${value.slice(0, 12).join(" ")}` : JSON.stringify(value));

function expectPairs(found, expected, message) {
  expect(Array.isArray(found), `${message}: ${shown(found)} is no list`);
  expect(found.length === expected.length, `${message}: ${found.length} pairs instead of ${expected.length}`);
  found.forEach(([key, value], place) => {
    const [wantedKey, wanted] = expected[place];
    expect(key === wantedKey, `${message}: key ${shown(key)} instead of ${shown(wantedKey)}`);
    expect(value instanceof Uint8Array, `${message}: the value of ${key} is ${typeof value}`);
    const same = value.byteLength === wanted.byteLength && value.every((byte, index) => byte === wanted[index]);
    expect(same, `${message}: the value of ${key} is ${shown(value)} instead of ${shown(wanted)}`);
  });
}

/** A handle that counts the head itself. */
function writing(storage, counter = 0) {
  const all = async () => storage.read(FIRST, LAST);
  return {
    storage,
    all,
    keys: async () => (await all()).map(([key]) => key),
    async write(puts, deletes = []) {
      await storage.write({ puts: [...puts, head(counter + 1)], deletes }, counter);
      counter += 1;
    },
    /** Writes what must be refused, and answers the code of the error. */
    async refused(batch, expected) {
      const before = await all();
      let code;
      try {
        await storage.write(batch, expected);
      } catch (error) {
        code = error.code ?? String(error);
      }
      expectPairs(await all(), before, "after a refused write");
      return code;
    },
  };
}

/** Bytes that no compression shortens and no text encoding keeps. */
function noise(length, seed = 1) {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
}

/** The promises by name, each a function of `open`. */
export const PROMISES = {
  async "an empty storage reads as nothing"(open) {
    const storage = await open("empty");
    expectPairs(await storage.read(FIRST, LAST), [], "everything");
    expectPairs(await storage.read("head", "heae"), [], "the head");
    await storage.close?.();
  },

  async "what was written is read, in the order of keys"(open) {
    const { storage, write, all } = writing(await open("ordered"));
    const keys = ["b", "a10", "a2", "B", "a", "~", "!", "a:b", "a/b", "A-1", "10", "9", "aa", "k".repeat(KEY_BYTES)];
    await write(keys.map((key) => [key, encode(key)]));
    const sorted = [...keys, "head"].sort((a, b) => (a < b ? -1 : 1));
    expectPairs(await all(), sorted.map((key) => (key === "head" ? head(1) : [key, encode(key)])), "everything");
    await storage.close?.();
  },

  async "a range takes its start and leaves its end"(open) {
    const { storage, write } = writing(await open("ranges"));
    await write(["a", "b", "b1", "c", "d"].map((key) => [key, encode(key)]));
    const ranges = [["b", "d", "b b1 c"], ["b", "b1", "b"], ["b0", "c0", "b1 c"], ["c", "c", ""], ["x", "z", ""], ["0", "b", "a"]];
    for (const [start, end, wanted] of ranges) {
      const found = (await storage.read(start, end)).map(([key]) => key).join(" ");
      expect(found === wanted, `${start} <= key < ${end}: "${found}" instead of "${wanted}"`);
    }
    await storage.close?.();
  },

  async "one batch adds, overwrites and deletes"(open) {
    const { storage, write, all } = writing(await open("overwrites"));
    await write([["kept", encode("1")], ["changed", encode("long before")], ["gone", encode("3")]]);
    await write([["changed", encode("new")], ["added", encode("4")]], ["gone", "never"]);
    expectPairs(await all(), [["added", encode("4")], ["changed", encode("new")], head(2), ["kept", encode("1")]], "everything");
    await write([], ["never", "ever"]);
    await storage.close?.();
  },

  async "another head is a conflict that changes nothing"(open) {
    const { storage, write, refused } = writing(await open("conflict"));
    const batch = (counter) => ({ puts: [["a", encode("other")], ["new", encode("other")], head(counter + 1)], deletes: ["b"] });
    expect((await refused(batch(1), 1)) === "Conflict", "a head that is not there yet");
    await write([["a", encode("1")], ["b", encode("2")]]);
    for (const wrong of [0, 2]) expect((await refused(batch(wrong), wrong)) === "Conflict", `head ${wrong} instead of 1`);
    await write([["a", encode("3")]]);
    expect((await refused(batch(1), 1)) === "Conflict", "a head that has passed");
    await storage.close?.();
  },

  async "only eight bytes of the head count"(open) {
    const { storage, refused } = writing(await open("counter"));
    // Beyond 32 bits, and with bytes whose order matters.
    const counter = 0x0001_0203_0405_0607;
    await storage.write({ puts: [head(counter, encode("what the engine keeps in its head"))], deletes: [] }, 0);
    const none = { puts: [head(9)], deletes: [] };
    for (const wrong of [0, counter - 1, counter + 1]) expect((await refused(none, wrong)) === "Conflict", `head ${wrong}`);
    // Whether the new counter is larger is the engine's business.
    await storage.write({ puts: [head(5)], deletes: [] }, counter);
    await storage.write(none, 5);
    await storage.close?.();
  },

  async "a damaged head is an error that changes nothing"(open) {
    const { storage, refused } = writing(await open("damaged"));
    await storage.write({ puts: [["head", new Uint8Array([1, 2, 3])]], deletes: [] }, 0);
    const code = await refused({ puts: [["a", encode("1")], head(1)], deletes: [] }, 0);
    expect(code !== undefined && code !== "Conflict", `a head of three bytes: ${code}`);
    await storage.close?.();
  },

  async "values of every length come back, to a little over 1 MiB"(open) {
    const { storage, write, all } = writing(await open("values"));
    const lengths = [0, 1, 2, 63, 64, 65, 1000, 4095, 4096, 4097, 65_535, 65_536, 65_537, 131_072, VALUE_BYTES, VALUE_BYTES + 64];
    const values = lengths.map((length) => [`v${String(length).padStart(8, "0")}`, noise(length, length + 1)]);
    values.push(["whole", Uint8Array.from({ length: 256 }, (_, index) => index)], ["zeros", new Uint8Array(300)]);
    await write(values);
    expectPairs(await all(), [head(1), ...values], "everything");
    // A value that becomes shorter, and a view of a larger buffer.
    const view = noise(8 << 10).subarray(5, 1005);
    const shorter = [[values[15][0], encode("short")], ["whole", view], ["zeros", new Uint8Array()]];
    await write(shorter);
    expectPairs((await all()).slice(-3), shorter, "what was overwritten");
    await storage.close?.();
  },

  async "a batch may have two thousand keys"(open) {
    const { storage, write, keys } = writing(await open("many"));
    const many = Array.from({ length: 2000 }, (_, index) => [`k${String(index).padStart(4, "0")}`, encode(String(index))]);
    await write([...many].reverse());
    expectPairs(await storage.read("k", "l"), many, "the range");
    await write([], many.map(([key]) => key));
    expect((await keys()).join(" ") === "head", "they can be deleted at once");
    await storage.close?.();
  },

  async "what was written is there when it is opened again"(open) {
    const first = writing(await open("reopened"));
    await first.write([["a", encode("1")], ["b", encode("2")], ["large", noise(VALUE_BYTES)]]);
    await first.write([["b", encode("3")]], ["a"]);
    await first.storage.close?.();
    const second = writing(await open("reopened"), 2);
    expectPairs(await second.all(), [["b", encode("3")], head(2), ["large", noise(VALUE_BYTES)]], "everything");
    await second.write([["c", encode("4")]]);
    expect((await second.keys()).join(" ") === "b c head large", "and can be written on");
    await second.storage.close?.();
  },

  async "names do not see each other"(open) {
    for (const name of ["name", "name-a", "other"]) {
      const { storage, write } = writing(await open(name));
      await write([["a:a", encode(name)]]);
      await storage.close?.();
    }
    for (const name of ["name", "name-a", "other"]) {
      const { storage, all } = writing(await open(name));
      expectPairs(await all(), [["a:a", encode(name)], head(1)], name);
      await storage.close?.();
    }
  },

  async "what is read or was written is nobody else's"(open) {
    const { storage, write } = writing(await open("owned"));
    const given = noise(100);
    await write([["a", given]]);
    given.fill(0);
    const [[, read]] = await storage.read("a", "b");
    read.fill(1);
    expectPairs(await storage.read("a", "b"), [["a", noise(100)]], "after the bytes were changed outside");
    await storage.close?.();
  },

  async "bytes of a value are read at once, where it can"(open) {
    const { storage, write } = writing(await open("at"));
    const large = noise(VALUE_BYTES);
    // A key of the engine's: a storage may keep the values of others in another way.
    const key = "segment/00000001/vectors/000001";
    await write([[key, large], ["small", encode("small")], ["empty", new Uint8Array()]]);
    if (storage.readAt === undefined) {
      await storage.close?.();
      return;
    }
    const places = [[0, 10], [65_530, 12], [65_536, 1], [100_000, 300_000], [VALUE_BYTES - 3, 3], [0, VALUE_BYTES]];
    for (const [offset, length] of places) {
      const wanted = [[key, large.subarray(offset, offset + length)]];
      expectPairs([[key, storage.readAt(key, offset, length)]], wanted, `${length} bytes at ${offset}`);
    }
    for (const [key, offset, length, text] of [["small", 3, 10, "ll"], ["small", 9, 4, ""], ["small", 2, 0, ""], ["empty", 0, 5, ""]]) {
      expectPairs([[key, storage.readAt(key, offset, length)]], [[key, encode(text)]], `${length} bytes of ${key} at ${offset}`);
    }
    expect(storage.readAt("absent", 0, 1) === undefined, "a key that is not there");
    await write([["small", encode("other")]], [key]);
    expect(storage.readAt(key, 0, 1) === undefined, "a key that was deleted");
    expectPairs([["small", storage.readAt("small", 0, 5)]], [["small", encode("other")]], "a value that was overwritten");
    await storage.close?.();
  },
};

/** The promises that need two handles on one storage at once. */
export const SHARED_PROMISES = {
  async "of two handles that race, one wins and the other is a conflict"(open) {
    const handles = [await open("race"), await open("race")];
    for (let counter = 0; counter < 10; counter += 1) {
      const outcomes = await Promise.all(
        handles.map(async (handle, number) => {
          try {
            await handle.write({ puts: [["a", encode(`${counter} ${number}`)], head(counter + 1)], deletes: [] }, counter);
            return "won";
          } catch (error) {
            return error.code;
          }
        }),
      );
      expect([...outcomes].sort().join(" ") === "Conflict won", `of two racing writes: ${outcomes}`);
      for (const handle of handles) {
        expectPairs(await handle.read("a", "b"), [["a", encode(`${counter} ${outcomes.indexOf("won")}`)]], "what both read");
      }
    }
    await handles[0].close?.();
    await writing(handles[1], 10).write([["a", encode("still open")]]);
    await handles[1].close?.();
  },
};

/** Runs all promises: what went wrong, by the promise's name; empty when all is kept. */
export async function broken(open, { shared = true } = {}) {
  const faults = {};
  for (const [name, promise] of Object.entries({ ...PROMISES, ...(shared && SHARED_PROMISES) })) {
    try {
      await promise(open);
    } catch (error) {
      faults[name] = String(error.stack ?? error);
    }
  }
  return faults;
}
