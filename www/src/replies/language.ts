/** The three languages the memory answers in when no model is connected. */
export type Language = "en" | "ko" | "ja";

/** Told by the script: Hangul is Korean, kana is Japanese; anything else is answered in English. */
export function languageOf(text: string): Language {
  if (/\p{Script=Hangul}/u.test(text)) return "ko";
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  return "en";
}
