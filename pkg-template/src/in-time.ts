/** Waiting with an end. */

/** What a promise comes to, or the error that `late` makes when it has not come to anything after so many milliseconds. */
export async function inTime<Value>(value: Promise<Value>, timeoutMs: number, late: () => Error): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timeoutMs);
  });
  try {
    return await Promise.race([value, end]);
  } finally {
    clearTimeout(timer);
  }
}
