/** Which sections there are, what they are called, and in which order they stand. */
import { BackupSection } from "./sections/backup.js";
import { BlocksSection } from "./sections/blocks.js";
import { DocumentsSection } from "./sections/documents.js";
import { EpisodesSection } from "./sections/episodes.js";
import { FactsSection } from "./sections/facts.js";
import { ForgottenSection } from "./sections/forgotten.js";
import { GraphSection } from "./sections/graph.js";
import { InstructionsSection } from "./sections/instructions.js";
import { LockSection } from "./sections/lock.js";
import { ProfileSection } from "./sections/profile.js";
import { ProposalsSection } from "./sections/proposals.js";
import { SearchSection } from "./sections/search.js";
import type { Section } from "./sections/section.js";
import type { Key } from "./texts/words.js";
import type { Tools } from "./tools.js";

interface Described {
  readonly label: Key;
  /** What is there, in a few words. */
  readonly about: Key;
  /** Undefined where the memory cannot do it. */
  make(tools: Tools): Section | undefined;
}

const SECTIONS = {
  profile: { label: "sectionProfile", about: "aboutProfile", make: (tools) => new ProfileSection(tools) },
  facts: { label: "sectionFacts", about: "aboutFacts", make: (tools) => new FactsSection(tools) },
  graph: { label: "sectionGraph", about: "aboutGraph", make: (tools) => new GraphSection(tools) },
  search: { label: "sectionSearch", about: "aboutSearch", make: (tools) => new SearchSection(tools) },
  proposals: { label: "sectionProposals", about: "aboutProposals", make: (tools) => new ProposalsSection(tools) },
  instructions: { label: "sectionInstructions", about: "aboutInstructions", make: (tools) => new InstructionsSection(tools) },
  episodes: { label: "sectionEpisodes", about: "aboutEpisodes", make: (tools) => new EpisodesSection(tools) },
  documents: { label: "sectionDocuments", about: "aboutDocuments", make: (tools) => new DocumentsSection(tools) },
  blocks: { label: "sectionBlocks", about: "aboutBlocks", make: (tools) => new BlocksSection(tools) },
  forget: { label: "sectionForget", about: "forgetAboutMenu", make: (tools) => new ForgottenSection(tools) },
  lock: { label: "sectionLock", about: "aboutLock", make: (tools) => tools.memory && new LockSection(tools, tools.memory) },
  backup: { label: "sectionBackup", about: "aboutBackup", make: (tools) => new BackupSection(tools) },
} as const satisfies Record<string, Described>;

const PRIVACY = ["forget", "lock", "backup"] as const;

/** What stands in `sections`: one of these, or the slot of a section of the page's own. */
export type SectionName = keyof typeof SECTIONS | "privacy" | "more";

export const DEFAULT_SECTIONS = "profile facts graph search privacy more";

/** A section of the page's own. */
export interface OwnPlace {
  readonly name: string;
  readonly label: string;
  readonly about: string;
}

/** A tab: one section, or several behind a menu. */
export interface Plan {
  readonly id: string;
  readonly sections: readonly string[];
}

export function described(name: string): Described | undefined {
  return Object.hasOwn(SECTIONS, name) ? SECTIONS[name as keyof typeof SECTIONS] : undefined;
}

/** The tabs that some names ask for; a name that nothing has is passed over, and so is one that was there before. */
export function planned(names: readonly string[], own: readonly OwnPlace[]): Plan[] {
  const all = [...Object.keys(SECTIONS), ...own.map(({ name }) => name)];
  const named = new Set(names);
  const privacy = PRIVACY.filter((name) => !named.has(name));
  const rest = all.filter((name) => !named.has(name) && !(named.has("privacy") && (PRIVACY as readonly string[]).includes(name)));
  return [...named].flatMap((id): Plan[] => {
    const sections = id === "privacy" ? privacy : id === "more" ? rest : all.includes(id) ? [id] : [];
    return sections.length > 0 ? [{ id, sections }] : [];
  });
}
