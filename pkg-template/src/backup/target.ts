/** The files and folders that backups go to. */
import { StorageError } from "../errors.js";
import { shown } from "../plain.js";
import type { BackupTarget } from "./automatic.js";

/** What browsers have and the types of TypeScript do not. */
export type Asking = FileSystemHandle & {
  queryPermission?(options: { mode: "readwrite" }): Promise<PermissionState>;
  requestPermission?(options: { mode: "readwrite" }): Promise<PermissionState>;
};

/** The file of a memory: the file itself, or the one with its name in a folder. */
export function fileOf(name: string, handle: BackupTarget, create: boolean): Promise<FileSystemFileHandle> | FileSystemFileHandle {
  if (handle.kind === "file") return handle as FileSystemFileHandle;
  return (handle as FileSystemDirectoryHandle).getFileHandle(`${name}.mnemic`, { create });
}

/** Whether the file may be written. */
export async function permissionOf(handle: Asking): Promise<PermissionState> {
  // The files of the site's own need none.
  return (await handle.queryPermission?.({ mode: "readwrite" })) ?? "granted";
}

/** The error for a file that cannot be read or written. */
export function unusable(handle: BackupTarget, cause: unknown): StorageError {
  return new StorageError(`${shown(handle.name)} cannot be used for backups (${String(cause)}); choose another file`, { cause });
}
