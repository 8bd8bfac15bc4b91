/** A disk for journals, every change of which is noted: what a crash leaves after each of them can be had. */

/** Files by name. An inode is an object, so that what was replaced or removed can still be used by who has it open. */
export class Disk {
  /** The inodes by their names. */
  names = new Map();
  /** What was done, as functions of another disk. */
  changes = [];
  /** How many bytes all files may have. */
  limit = Infinity;
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
  carryOut({ verb, inode, name, bytes, at }) {
    const file = this.#inodes.get(inode);
    if (verb === "create") {
      this.#inodes.set(inode, new Growing());
      this.names.set(name, inode);
    }
    if (verb === "append") file.append(bytes);
    if (verb === "overwrite") file.bytes.set(bytes, at);
    if (verb === "remove") this.names.delete(name);
    if (verb === "rename") {
      this.names.delete(name);
      this.names.set("current", inode);
    }
  }

  #create(name, beginning) {
    this.#number += 1;
    const inode = this.#number;
    this.#change({ verb: "create", inode, name });
    this.#change({ verb: "append", inode, bytes: beginning });
    this.#change({ verb: "flush", inode });
    return inode;
  }

  /** A place on the disk, as one process has it. `newBeginning` makes the beginning of a journal. */
  place(newBeginning) {
    const open = (inode) => ({
      size: () => this.#inodes.get(inode).bytes.length,
      isGone: () => ![...this.names.values()].includes(inode),
      read: (into, at) => {
        const bytes = this.#inodes.get(inode).bytes.subarray(at, at + into.length);
        into.set(bytes);
        return bytes.length;
      },
      append: (bytes) => {
        const room = this.limit - this.images.reduce((sum, { length }) => sum + length, 0);
        this.#change({ verb: "append", inode, bytes: bytes.slice(0, Math.max(0, room)) });
        if (bytes.length > room) throw Object.assign(new Error("no room"), { code: "ENOSPC" });
      },
      overwrite: (bytes, at) => this.#change({ verb: "overwrite", inode, bytes: bytes.slice(), at }),
      flush: async () => this.#change({ verb: "flush", inode }),
      close() {},
    });
    let number = 0;
    const who = Math.random().toString(36).slice(2, 6);
    return {
      isHeld: true,
      open: async () => open(this.names.get("current") ?? this.begin(newBeginning())),
      nextName: () => `${who}-${(number += 1)}`,
      create: async (name) => open(this.#create(name, newBeginning())),
      remove: async (name) => this.names.has(name) && this.#change({ verb: "remove", name, inode: this.names.get(name) }),
      replace: async (name) => this.names.has(name) && this.#change({ verb: "rename", name, inode: this.names.get(name) }),
      alone: (work) => work(),
      close() {},
    };
  }

  /** Begins with a file of these bytes, which is there whole or not at all; its inode. */
  begin(beginning) {
    const inode = this.#create("beginning", beginning);
    this.#change({ verb: "rename", name: "beginning", inode });
    return inode;
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
   * The disk after the first so many changes and a power failure: of what was not flushed, only what `isKept` says is there; what is
   * missing of appended bytes are zeros.
   */
  afterPowerFailure(count, isKept) {
    const changes = this.changes.slice(0, count);
    const disk = new Disk();
    for (const [index, change] of changes.entries()) {
      const isFlushed = changes.slice(index).some(({ verb, inode }) => verb === "flush" && inode === change.inode);
      const isLost = ["append", "overwrite"].includes(change.verb) && !isFlushed && !isKept();
      if (!isLost) disk.carryOut(change);
      else if (change.verb === "append") disk.carryOut({ ...change, bytes: new Uint8Array(change.bytes.length) });
    }
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
