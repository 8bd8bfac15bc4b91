/** A disk for journals, every change of which is noted: what a crash leaves after each of them can be had. */

/** Files by name. An inode is an object, so that what was replaced or removed can still be used by who has it open. */
export class Disk {
  /** The inodes by their names. */
  names = new Map();
  /** What was done, as functions of another disk. */
  changes = [];
  /** How many bytes all files may have. */
  limit = Infinity;
  /** Whether a power failure took the name of a file away. */
  hasLostNames = false;
  #inodes = new Map();
  #number = 0;

  /** The bytes of all files. */
  get images() {
    return [...this.names.values()].map((number) => this.#inodes.get(number).bytes);
  }

  #change(change) {
    this.changes.push(change);
    this.carryOut(change);
  }

  /** Makes a change. Of one that was cut off, `bytes` is what was written. */
  carryOut({ verb, inode, name, bytes, at, size }) {
    const file = this.#inodes.get(inode);
    if (verb === "create") {
      this.#inodes.set(inode, new Growing());
      this.names.set(name, inode);
    }
    if (verb === "append") file.append(bytes);
    if (verb === "overwrite") file.bytes.set(bytes, at);
    if (verb === "truncate") file.truncate(size);
    if (verb === "remove") this.names.delete(name);
    if (verb === "rename") {
      this.names.delete(name);
      this.names.set("current", inode);
    }
  }

  /** Makes an empty file; its inode. */
  create(name) {
    this.#number += 1;
    this.#change({ verb: "create", inode: this.#number, name });
    return this.#number;
  }

  remove(name) {
    this.#change({ verb: "remove", name, inode: this.names.get(name) });
  }

  /** All names are on the disk from now on. */
  sync() {
    this.#change({ verb: "sync" });
  }

  /** The bytes of an inode. */
  bytesOf(inode) {
    return this.#inodes.get(inode).bytes;
  }

  /** Adds bytes at the end; how many found room. */
  append(inode, bytes) {
    const room = Math.max(0, this.limit - this.images.reduce((sum, { length }) => sum + length, 0));
    this.#change({ verb: "append", inode, bytes: bytes.slice(0, room) });
    return Math.min(room, bytes.length);
  }

  overwrite(inode, bytes, at) {
    this.#change({ verb: "overwrite", inode, bytes: bytes.slice(), at });
  }

  truncate(inode, size) {
    this.#change({ verb: "truncate", inode, size });
  }

  flush(inode) {
    this.#change({ verb: "flush", inode });
  }

  #createWith(name, beginning) {
    const inode = this.create(name);
    this.append(inode, beginning);
    this.flush(inode);
    this.sync();
    return inode;
  }

  /** A place on the disk, as one process has it. `newBeginning` makes the beginning of a journal. */
  place(newBeginning) {
    const open = (inode) => ({
      size: () => this.bytesOf(inode).length,
      isGone: () => ![...this.names.values()].includes(inode),
      read: (into, at) => {
        const bytes = this.bytesOf(inode).subarray(at, at + into.length);
        into.set(bytes);
        return bytes.length;
      },
      append: (bytes) => {
        if (this.append(inode, bytes) < bytes.length) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
      },
      overwrite: (bytes, at) => this.overwrite(inode, bytes, at),
      flush: async () => this.flush(inode),
      close() {},
    });
    let number = 0;
    const who = Math.random().toString(36).slice(2, 6);
    return {
      name: "the file on the disk",
      isHeld: true,
      open: async () => open(this.names.get("current") ?? this.begin(newBeginning())),
      nextName: () => `${who}-${(number += 1)}`,
      create: async (name) => open(this.#createWith(name, newBeginning(true))),
      remove: async (name) => void (this.names.has(name) && this.remove(name)),
      replace: async (name) => {
        if (this.names.has(name)) this.#rename(name);
        return true;
      },
      clear: async () => {},
      alone: (work) => work(),
      close() {},
    };
  }

  /** Begins with a file of these bytes, which is there whole or not at all; its inode. */
  begin(beginning) {
    const inode = this.#createWith("beginning", beginning);
    this.#rename("beginning");
    return inode;
  }

  #rename(name) {
    this.#change({ verb: "rename", name, inode: this.names.get(name) });
    this.sync();
  }

  /** A disk with one file, of these bytes. */
  static of(bytes) {
    const disk = new Disk();
    disk.begin(bytes);
    disk.sync();
    return disk;
  }

  /** The disk after the first so many changes, and the first bytes of the next. */
  after(count, bytes = 0) {
    const disk = new Disk();
    for (const change of this.changes.slice(0, count)) disk.carryOut(change);
    const next = this.changes[count];
    if (bytes > 0 && next?.bytes !== undefined) disk.carryOut({ ...next, bytes: next.bytes.slice(0, bytes) });
    disk.#number = this.#number;
    return disk;
  }

  /**
   * The disk after the first so many changes and a power failure: of what was not brought to the disk, in whatever order it was done, only
   * what `isKept` says is there. What is missing of appended bytes are zeros, or nothing at the end of a file.
   */
  afterPowerFailure(count, isKept) {
    const changes = this.changes.slice(0, count);
    const disk = new Disk();
    const sizes = new Map();
    for (const [index, change] of changes.entries()) {
      const later = changes.slice(index);
      const isOfNames = ["create", "rename", "remove"].includes(change.verb);
      const isDurable = later.some(({ verb, inode }) => (isOfNames ? verb === "sync" : verb === "flush" && inode === change.inode));
      if (isDurable || isKept()) {
        // A name that was given up before it was ever on the disk may stay away.
        if (change.verb !== "rename" || disk.names.has(change.name)) disk.carryOut(change);
        sizes.delete(change.inode);
      } else if (change.verb === "append") {
        if (!sizes.has(change.inode)) sizes.set(change.inode, disk.bytesOf(change.inode).length);
        disk.carryOut({ ...change, bytes: new Uint8Array(change.bytes.length) });
      } else if (change.verb === "create") {
        disk.carryOut(change);
        disk.names.delete(change.name);
        if (!later.some(({ verb, name }) => verb === "remove" && name === change.name)) disk.hasLostNames = true;
      }
    }
    for (const [inode, size] of sizes) if (isKept()) disk.carryOut({ verb: "truncate", inode, size });
    disk.#number = this.#number;
    return disk;
  }
}

/** Bytes that more can be added to. */
class Growing {
  #room = new Uint8Array(1024);
  #length = 0;

  get bytes() {
    return this.#room.subarray(0, this.#length);
  }

  truncate(size) {
    this.#room.fill(0, size);
    this.#length = size;
  }

  append(bytes) {
    const length = this.#length + bytes.length;
    if (length > this.#room.length) {
      const room = new Uint8Array(length * 2);
      room.set(this.bytes);
      this.#room = room;
    }
    this.#room.set(bytes, this.#length);
    this.#length = length;
  }
}
