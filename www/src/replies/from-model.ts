/** A reply by the connected model, which may look into the memory and change it by calling tools before it answers. */
import type { Model } from "../models/model";
import { ModelError } from "../models/model-error";
import type { Session } from "../session";
import { tokensOf } from "../window/count";
import type { WindowReport } from "../window/parts";
import { promptFor } from "../window/prompt";
import { type Asked, type Reply, type ReplyProgress, summarise } from "./reply";
import { carryOut, type MadeCall } from "./tool-calls";

/** The most calls for one reply. */
const MOST_CALLS = 8;

export async function replyFromModel(session: Session, model: Model, asked: Asked, progress: ReplyProgress): Promise<Reply> {
  const { signal } = progress;
  const calls: MadeCall[] = [...asked.calls];
  let said = "";
  for (;;) {
    const { tools } = await session.toolbox();
    const { turns, recalled, report, roomForCalls } = await promptFor(session, { threadId: asked.threadId, query: asked.text, calls });
    progress.onSent(report);
    const mustAnswer = calls.length >= MOST_CALLS || roomForCalls === 0;
    const onText = (text: string): void => progress.onText(joined(said, text));
    const answer = await model.reply(turns, { signal, onText, tools, mustAnswer });
    said = joined(said, answer.text);
    if (answer.calls.length === 0) {
      return { text: said, recalled: summarise(recalled), calls, window: tools.length > 0 && !model.takesTools ? withoutTools(report) : report };
    }
    if (mustAnswer) throw new ModelError("The model went on calling tools instead of answering.");
    let room = roomForCalls;
    for (const call of answer.calls.slice(0, MOST_CALLS - calls.length)) {
      if (room <= 0) break; // it has to answer from what it has
      signal.throwIfAborted();
      const made = await carryOut(session.chat(asked.threadId).user, call, asked.threadId, room, signal);
      room -= await tokensOf(session.user, JSON.stringify(made));
      calls.push(made);
      progress.onCalls([...calls]);
    }
  }
}

/** A model that refused the tools was asked again without them. */
function withoutTools(report: WindowReport): WindowReport {
  return { ...report, parts: { ...report.parts, tools: 0 } };
}

function joined(before: string, text: string): string {
  return [before, text].filter((part) => part.trim() !== "").join("\n\n");
}
