/** The side of the page: it asks for a step, runs it, tells the answer, and loads itself anew for the next one. */

/** @param {(step: object) => Promise<object>} run what is done in a step; `{ error }` is told for what it throws */
export async function answerSteps(run) {
  const control = new URLSearchParams(location.search).get("control");
  const step = await (await fetch(control)).json();
  const answer = await run(step).catch((error) => ({ error: `${error}\n${error.stack}` }));
  await fetch(control, { method: "POST", body: JSON.stringify(answer) });
  location.reload();
}
