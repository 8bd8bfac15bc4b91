/** What the panel says, in the reader's language: texts, numbers and times. */
import { element } from "../page/element.js";
import { bytesIn } from "./bytes.js";
import { english } from "./en.js";

export type Key = keyof typeof english;
/** A text with places `{name}`; where a number changes its words, one text per form of the plural. */
export type Text = string | ({ readonly [Form in Intl.LDMLPluralRule]?: string } & { readonly other: string });
export type Texts = { readonly [Name in Key]: Text };
export type Values = Readonly<Record<string, string | number>>;

/** All languages there are, each in a file that is loaded when it is wanted. */
const TABLES: Readonly<Record<string, () => Promise<Texts>>> = {
  en: async () => english,
  de: async () => (await import("./de.js")).german,
  es: async () => (await import("./es.js")).spanish,
  ja: async () => (await import("./ja.js")).japanese,
  ko: async () => (await import("./ko.js")).korean,
  zh: async () => (await import("./zh.js")).chinese,
};

export class Words {
  /** The language that is spoken: the wanted one with its region, or English. */
  readonly language: string;
  /** That of all languages there are. */
  readonly direction = "ltr";
  readonly #texts: Texts;
  readonly #plural: Intl.PluralRules;
  readonly #number: Intl.NumberFormat;
  readonly #score: Intl.NumberFormat;
  readonly #time: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #full: Intl.DateTimeFormat;

  private constructor(language: string, texts: Texts) {
    this.language = language;
    this.#texts = texts;
    this.#plural = new Intl.PluralRules(language);
    this.#number = new Intl.NumberFormat(language);
    this.#score = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
    this.#time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
    this.#day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
    this.#full = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "medium" });
  }

  /** Of the wanted languages the first that there is, such as `"de-AT"`; otherwise English. */
  static async of(wanted: readonly string[]): Promise<Words> {
    for (const language of wanted) {
      const load = TABLES[language.split("-")[0]?.toLowerCase() ?? ""];
      if (load && isLocale(language)) return new Words(language, await load());
    }
    return new Words("en", english);
  }

  /** A text with values in its places; `n` chooses the form of the plural. */
  of(key: Key, values: Values = {}): string {
    const text = this.#texts[key];
    const form = typeof text === "string" ? text : (text[this.#plural.select(Number(values["n"]))] ?? text.other);
    return form.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
      const value = values[name];
      return value === undefined ? place : typeof value === "number" ? this.number(value) : isolated(value);
    });
  }

  number(number: number): string {
    return this.#number.format(number);
  }

  /** With as many digits as a score needs. */
  score(number: number): string {
    return this.#score.format(number);
  }

  /** An amount of data. */
  bytes(bytes: number): string {
    return bytesIn(this.language, bytes);
  }

  /** Only the time when it was today, otherwise with the date. `at` is in milliseconds since 1970 UTC. */
  time(at: number): string {
    const date = new Date(at);
    return (date.toDateString() === new Date().toDateString() ? this.#time : this.#day).format(date);
  }

  /** The same as an element that carries the exact time. */
  moment(at: number): HTMLTimeElement {
    const date = new Date(at);
    return element("time", { datetime: date.toISOString(), title: this.#full.format(date) }, this.time(at));
  }

  /** Things one after another, such as "2 messages, 1 fact". */
  list(parts: readonly string[]): string {
    return new Intl.ListFormat(this.language, { type: "unit", style: "short" }).format(parts);
  }
}

/** Writing from right to left, and marks that turn what follows. */
const TURNS = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff]/;

/** A text that does not turn the sentence around in which it stands. */
function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text}\u2069` : text;
}

function isLocale(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}
