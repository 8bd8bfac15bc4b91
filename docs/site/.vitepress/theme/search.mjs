/** Which of the places with the same words the search names first. */

/** Who looks for a word wants its guide before the class of that name, and what is inside of the engine last. */
const WEIGHTS = [
  [/\/(guides|concepts)\/\w|\/(reference\/errors|start|comparison)\.html/, 3],
  [/\/(changelog|contributing|design|format|indexes|ranking)\.html/, 0.5],
];

/** How much a place counts; 1 is that of the reference. */
const boostDocument = (place) => WEIGHTS.find(([pages]) => pages.test(place))?.[1] ?? 1;

/** The words of what is looked for. "nextjs" and "nodejs" are written "Next.js" and "Node" here. */
const tokenize = (words) => words.replaceAll(/(?<=\w{3})js\b/gi, " js").split(/[\n\r\p{Z}\p{P}]+/u);

/** MiniSearch's options. A word that is only similar counts little: "quota" is not "quote". */
export const searchOptions = { boostDocument, tokenize, weights: { fuzzy: 0.05, prefix: 0.375 } };
