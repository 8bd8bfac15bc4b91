/** What looking for secrets costs: the same messages with the guard and without, by turns. */
import { text } from "./corpus.mjs";
import { expect, summary } from "./timing.mjs";

const MESSAGES = 20;
const WARM_UP = 10;
const PAIRS = 60;
const MODES = ["mask", "keep"];

/** A message of about 700 characters, one in ten with a key in it. */
function said(number) {
  const words = Array.from({ length: 8 }, (_, place) => text(8 * number + place)).join(". ");
  return { role: "user", content: number % 10 === 0 ? `${words}. My password: hunter${number}rq` : words };
}

/** Remembers 20 messages at a time, in two memories by turns. */
export async function guarding(openMemory, options) {
  const memories = await Promise.all(
    MODES.map((secrets) => openMemory({ ...options, name: `${options.name}-${secrets}`, guard: { secrets }, extraction: { auto: false } })),
  );
  const times = MODES.map(() => []);
  for (let round = 0; round < WARM_UP + PAIRS; round += 1) {
    const messages = Array.from({ length: MESSAGES }, (_, place) => said(MESSAGES * round + place));
    // Who comes first changes, so that neither gains by it.
    for (const mode of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const start = performance.now();
      const { masked = [] } = await memories[mode].scope({ userId: "alice" }).remember(messages);
      const time = performance.now() - start;
      expect(masked.length === (mode === 0 ? MESSAGES / 10 : 0), `${masked.length} secrets were masked`);
      if (round >= WARM_UP) times[mode].push(time);
    }
  }
  for (const memory of memories) await memory.close();
  const [masking, keeping] = times.map(summary);
  const name = `remember of ${MESSAGES} messages of 700 characters, secrets masked, ${options.storage}, ${options.durability}`;
  return [{ name, ...masking, unit: "ms", peer: { name: "secrets kept", value: keeping.value } }];
}
