/** When the user last saved a backup by hand. A browser that forbids storage forgets it. */
const KEY = "mnemic-panel-saved";

/** Milliseconds since 1970 UTC; 0 when none is known. */
export function savedAt(): number {
  try {
    return Number(localStorage.getItem(KEY)) || 0;
  } catch {
    return 0;
  }
}

export function keptSavedAt(at: number): void {
  try {
    localStorage.setItem(KEY, String(at));
  } catch {
    // It is only told.
  }
}
