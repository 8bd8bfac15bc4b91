/** What went wrong, in words. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
