/** What Chromium notes of a page's tasks, with the time each took of its processor. */

/** What is noted: the tasks of every thread, the marks that a page sets, and the threads' names. */
const CATEGORIES = ["toplevel", "blink.user_timing", "__metadata"];

/** Begins to note what a page does; `end()` ends that and answers the events. */
export async function trace(page) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const event of value) {
      const isMark = event.cat?.includes("blink.user_timing");
      if (isMark || event.name === "thread_name" || event.name === "ThreadControllerImpl::RunTask") events.push(event);
    }
  });
  await session.send("Tracing.start", { traceConfig: { includedCategories: CATEGORIES, recordMode: "recordContinuously" }, transferMode: "ReportEvents" });
  return {
    async end() {
      const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
      await session.send("Tracing.end");
      await complete;
      return events;
    },
  };
}
