/** What is remembered at the end, for people and for machines. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes `memory.json` and `memory.md`; answers their paths. */
export async function writeMemory(user, folder) {
  const remembered = {
    profiles: await user.profiles.get(),
    facts: await user.facts.list({ limit: 1000, includeEnded: true }),
    graph: await user.graph.read_graph(),
    episodes: await user.episodes.list(),
    instructions: await user.instructions.list(),
  };
  const paths = [join(folder, "memory.json"), join(folder, "memory.md")];
  writeFileSync(paths[0], `${JSON.stringify(remembered, null, 2)}\n`);
  writeFileSync(paths[1], text(remembered));
  return paths;
}

function text({ profiles, facts, graph, episodes, instructions }) {
  const day = (time) => new Date(time).toISOString().slice(0, 10);
  const quotes = (source) => source.map(({ quote }) => `"${quote}"`).join(", ");
  const sections = {
    Profile: Object.values(profiles).flatMap(({ fields }) =>
      Object.entries(fields).map(([name, { value, source }]) => `${name}: ${JSON.stringify(value)} ${quotes(source)}`),
    ),
    Facts: facts.map(({ text, category, significance, validFrom, validTo, source }) =>
      `${text} (${category}, ${significance}, ${day(validFrom)} to ${validTo ? day(validTo) : "now"}) ${quotes(source)}`,
    ),
    Entities: graph.entities.map(({ name, entityType, observations }) => `${name} (${entityType}) ${observations.join("; ")}`),
    Relations: graph.relations.map(({ from, relationType, to }) => `${from} ${relationType} ${to}`),
    Episodes: episodes.map(({ situation, approach, outcome }) => `${situation} / ${approach} / ${outcome}`),
    Instructions: instructions.map(({ name, text }) => `${name}: ${text}`),
  };
  const shown = Object.entries(sections).map(([title, lines]) => `# ${title}\n\n${lines.map((line) => `- ${line}`).join("\n") || "(none)"}\n`);
  return shown.join("\n");
}
