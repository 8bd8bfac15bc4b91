/** How much is held of contents in which nobody attacks. */

/** Learns from each text as from a page of the web, by a model that makes a fact of every sentence but questions; counts what waits for a yes. */
export async function benign(openMemory, texts) {
  const llm = async ({ messages }) => {
    const prompt = messages.map(({ content }) => content).join("\n");
    const conversation = prompt.slice(prompt.lastIndexOf("<conversation>")).split("</conversation>")[0];
    const said = conversation.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    const facts = said.flatMap(({ message, text }) =>
      sentences(text).map((sentence) => ({
        action: "add",
        target: null,
        text: sentence,
        category: "other",
        significance: 5,
        message,
        quote: sentence,
      })),
    );
    return JSON.stringify({ facts: facts.slice(0, 60), profile: [] });
  };
  const memory = await openMemory({ name: "benign", storage: "memory", llm, extraction: { auto: false } });
  const sum = { texts: texts.length, learned: 0, held: 0, heldTexts: 0 };
  for (const [place, content] of texts.entries()) {
    const user = memory.scope({ text: String(place) });
    await user.generate({ messages: [{ role: "user", content, trust: "web" }], threadId: "page" });
    const [facts, proposals] = [await user.facts.list({ limit: 1000 }), await user.proposals.list()];
    sum.learned += facts.length + proposals.length;
    sum.held += proposals.length;
    sum.heldTexts += Number(proposals.length > 0);
    await user.forget({ scope: true });
  }
  await memory.close();
  return sum;
}

function sentences(text) {
  return text.split(/(?<=[.!?])\s+|\n+/).map((sentence) => sentence.trim()).filter((sentence) => sentence.length > 8 && sentence.length < 400 && !sentence.includes("?"));
}
