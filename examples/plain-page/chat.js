/** The chat: what is said is kept in threads of the memory, and what is known goes to the model. */
import { openMemory } from "./node_modules/mnemic/entry/browser.js";
import { define } from "./node_modules/mnemic/panel/index.js";
import { model } from "./model.js";

const [messages, problem, form] = ["#messages", "#problem", "form"].map((selector) => document.querySelector(selector));
const send = form.querySelector("button");
let threadId = crypto.randomUUID();

/** Does something, and says why if it fails. */
async function attempt(work) {
  problem.hidden = true;
  try {
    return await work();
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
}

function show(stored) {
  const lines = stored.map(({ role, content }) => {
    const line = document.createElement("p");
    line.dataset.role = role;
    line.dir = "auto";
    line.textContent = content;
    return line;
  });
  messages.replaceChildren(...lines);
  lines.at(-1)?.scrollIntoView({ block: "nearest" });
}

await attempt(async () => {
  const memory = await openMemory({ name: "plain-page" });
  const user = memory.scope({ userId: "me" });

  define();
  document.querySelector("mnemic-panel").user = user;

  const newest = async () => (await user.threads.messages(threadId, { order: "desc", limit: 50 })).reverse();
  const showNewest = () => attempt(async () => show(await newest()));

  async function say(content) {
    const { text } = await user.recall(content, { currentThreadId: threadId, maxTokens: 800 });
    await user.remember({ role: "user", content }, { threadId });
    const reply = await model(text, await newest());
    await user.remember({ role: "assistant", content: reply }, { threadId });
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    const { words } = form.elements;
    await attempt(async () => {
      await say(words.value);
      words.value = "";
    });
    send.disabled = false;
    words.focus();
  });

  document.querySelector("#another").addEventListener("click", async () => {
    threadId = crypto.randomUUID();
    await showNewest();
    form.elements.words.focus();
  });

  // Whatever is stored or deleted, in this tab or another one, is shown.
  memory.on("change", ({ changes }) => changes.some(({ kind }) => kind === "message") && showNewest());

  const [last] = await user.threads.list();
  threadId = last?.threadId ?? threadId;
  await showNewest();
  send.disabled = false;
});
