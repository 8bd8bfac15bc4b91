/** Small values kept in this browser. A browser that forbids storage reads as empty and refuses to keep. */

export function readDevice(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Whether the value was kept. */
export function keepOnDevice(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

export function dropFromDevice(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Where nothing can be stored, nothing is.
  }
}
