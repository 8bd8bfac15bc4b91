/** The origin's private file system on a disk of which every change is known, as a worker in a browser that shares handles sees it. */

const refused = (name) => new DOMException(`the fake file system says ${name}`, name);

/** How many handles inodes have, by disk. */
const held = new WeakMap();

function handlesOf(disk) {
  if (!held.has(disk)) held.set(disk, new Map());
  return held.get(disk);
}

/** What the library asks for, and nothing more. */
class FileHandle {
  kind = "file";
  #disk;
  #path;

  constructor(disk, path) {
    [this.#disk, this.#path] = [disk, path];
    this.name = path.split("/").at(-1);
  }

  get #inode() {
    const inode = this.#disk.names.get(this.#path);
    if (inode === undefined) throw refused("NotFoundError");
    return inode;
  }

  async getFile() {
    return new File([this.#disk.bytesOf(this.#inode)], this.name);
  }

  async createSyncAccessHandle(options) {
    const { mode } = options;
    if (mode !== "readwrite-unsafe") throw new TypeError(`mode ${mode}`);
    const [disk, inode] = [this.#disk, this.#inode];
    const handles = handlesOf(disk);
    handles.set(inode, (handles.get(inode) ?? 0) + 1);
    return {
      getSize: () => disk.bytesOf(inode).length,
      read(into, { at }) {
        const bytes = disk.bytesOf(inode).subarray(at, at + into.length);
        into.set(bytes);
        return bytes.length;
      },
      write(bytes, { at }) {
        if (at === disk.bytesOf(inode).length) return disk.append(inode, bytes);
        disk.overwrite(inode, bytes, at);
        return bytes.length;
      },
      truncate: (size) => disk.truncate(inode, size),
      flush: () => disk.flush(inode),
      close: () => handles.set(inode, handles.get(inode) - 1),
    };
  }
}

class FolderHandle {
  kind = "directory";
  #disk;
  #path;

  constructor(disk, path = "") {
    [this.#disk, this.#path] = [disk, path];
  }

  async getDirectoryHandle(name) {
    return new FolderHandle(this.#disk, `${this.#path}${name}/`);
  }

  async getFileHandle(name, { create } = {}) {
    const path = this.#path + name;
    if (!this.#disk.names.has(path)) {
      if (!create) throw refused("NotFoundError");
      this.#disk.create(path);
    }
    return new FileHandle(this.#disk, path);
  }

  async *values() {
    for (const path of [...this.#disk.names.keys()]) if (path.startsWith(this.#path)) yield new FileHandle(this.#disk, path);
  }

  async removeEntry(name) {
    const path = this.#path + name;
    if (!this.#disk.names.has(path)) throw refused("NotFoundError");
    if (handlesOf(this.#disk).get(this.#disk.names.get(path)) > 0) throw refused("NoModificationAllowedError");
    this.#disk.remove(path);
  }
}

/** Has the disk be the private file system of whoever asks for it from now on. */
export function mount(disk) {
  globalThis.FileSystemFileHandle = FileHandle;
  globalThis.FileSystemSyncAccessHandle = class {
    get mode() {
      return "readwrite-unsafe";
    }
  };
  // An open channel would keep the process alive.
  delete globalThis.BroadcastChannel;
  const storage = { getDirectory: async () => new FolderHandle(disk) };
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { storage } });
}

/** Every wait of a second or more, for a test to end: what is brought to the disk by and by is there then. */
export function holdTimers(context) {
  const waiting = new Map();
  const { setTimeout, clearTimeout } = globalThis;
  globalThis.setTimeout = (work, ms, ...values) => {
    if (!(ms >= 1000)) return setTimeout(work, ms, ...values);
    const timer = Symbol("timer");
    waiting.set(timer, work);
    return timer;
  };
  globalThis.clearTimeout = (timer) => (waiting.delete(timer) ? undefined : clearTimeout(timer));
  context.after(() => Object.assign(globalThis, { setTimeout, clearTimeout }));
  return {
    get count() {
      return waiting.size;
    },
    end() {
      for (const [timer, work] of [...waiting]) {
        waiting.delete(timer);
        work();
      }
    },
  };
}
