/** Stages of work, side by side where they may. */

/**
 * Runs stages, two at a time and earlier ones first, and starts no further one once one has failed.
 *
 * @param {{name: string, after?: string[], uses?: string[], shares?: string[]}[]} stages a stage waits until those of `after` that are
 *   among them are done, and until no running one `uses` what it does. One that `shares` something with a running one comes after
 *   those that do not
 * @param {(stage: object) => Promise<{error?: unknown}>} runStage answers the outcome of one; it does not throw
 * @returns {Promise<{error?: unknown}[]>} the outcomes of those that ran, in the order of the stages
 */
export async function runStages(stages, runStage) {
  const [outcomes, running] = [new Map(), new Map()];
  const failed = () => [...outcomes.values()].some(({ error }) => error);
  const meets = (stage, how) => stages.some((other) => running.has(other.name) && other[how]?.some((thing) => stage[how]?.includes(thing)));
  const mayStart = (stage) =>
    !outcomes.has(stage.name) &&
    !running.has(stage.name) &&
    (stage.after ?? []).every((other) => outcomes.has(other) || !stages.some(({ name }) => name === other)) &&
    !meets(stage, "uses");
  for (;;) {
    while (running.size < 2 && !failed()) {
      const startable = stages.filter(mayStart);
      const stage = startable.find((stage) => !meets(stage, "shares")) ?? startable[0];
      if (!stage) break;
      running.set(stage.name, runStage(stage).then((outcome) => {
        running.delete(stage.name);
        outcomes.set(stage.name, outcome);
      }));
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  return stages.filter(({ name }) => outcomes.has(name)).map(({ name }) => outcomes.get(name));
}
