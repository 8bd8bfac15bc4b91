/** What a message without a model to understand it seems to want. Plain patterns: a wrong guess costs only wording. */
import type { FieldName } from "../profile-schema";

export type Intent = "greeting" | "thanks" | "overview" | "forget" | "question" | "statement";

const PATTERNS: readonly (readonly [Intent, RegExp])[] = [
  ["greeting", /^(hi|hello|hey|good (morning|afternoon|evening)|안녕(하세요)?|반가워요?|こんにちは|こんばんは|おはよう(ございます)?)[\s!.,~。！]*$/iu],
  ["thanks", /^(ok(ay)?,? |great,? |cool,? )?(thanks|thank you|thx|cheers|고마워요?|고맙습니다|감사(해요|합니다)|ありがとう(ございます)?)[^\n?]{0,24}$/iu],
  ["statement", /^(what|how) (a|an|nice|lovely|great|fun|sad|awful)\b[^?]*$/iu],
  ["forget", /^(please |can you |could you )*(forget|delete|erase|remove)\b/iu],
  ["forget", /(잊어|지워|삭제해|忘れて|消して|削除して)/u],
  ["overview", /\bwhat (do|did|have|can) you (remember|know|learn|learned|keep|kept|stored?)\b|\bwho am i\b|\bwhat('s| is) in (your|my) memory\b|\btell me (everything )?about (me|myself)\b/iu],
  ["overview", /(나|저)(에 대해|에 관해)|(뭘|무엇을|뭐를) (기억|알고)|기억하(니|나요|고 있)/u],
  ["overview", /(私|僕|俺|わたし|ぼく)(について|のこと)|何を(覚えて|知って)/u],
  ["question", /[?？]\s*$/u],
  ["question", /^(what|where|who|when|which|why|how|do you|did i|am i|tell me|show me|find|search|look up)\b/iu],
  ["question", /(까|나요|니|을까|어디|뭐야|뭐지|누구|언제|어떤|알려\s?줘|찾아\s?줘)[.\s]*$/u],
  ["question", /(ですか|ますか|だっけ|のか|かな|教えて|探して)[。\s]*$/u],
];

/** Words in a question that name a field of the profile. */
const FIELD_WORDS: Record<FieldName, RegExp> = {
  name: /\bname\b|\bcalled\b|이름|名前/iu,
  place: /\bwhere\b.*\b(live|home|am i|from)\b|\bmy (city|home|place|address)\b|어디.*살|사는 곳|どこ.*住|住んで.*どこ|住所/iu,
  job: /\bjob\b|\bwork\b|\bliving\b|\bprofession\b|직업|하는 일|무슨 일|仕事|職業/iu,
  job_status: /\b(employed|unemployed|retired|work status)\b|무직|재직|無職|在職/iu,
  languages: /\b(languages?|speak)\b|언어|言語|何語/iu,
  likes: /\b(like|likes|love|enjoy|favou?rite)\b|좋아|好き|好物/iu,
  dislikes: /\b(dislike|dislikes|hate|avoid)\b|싫|못 먹|嫌い|苦手/iu,
  goals: /\b(goals?|plans?|aims?|want)\b|목표|계획|하고 싶|目標|計画|したい/iu,
  allergies: /\ballerg(y|ies|ic)\b|알레르기|アレルギー/iu,
};

export function intentOf(text: string): Intent {
  return PATTERNS.find(([, pattern]) => pattern.test(text.trim()))?.[0] ?? "statement";
}

/** A liking that is denied: it asks for dislikes, and not for likes. */
const NOT_LIKED = /\b(not|never|(do|did|ca|could)n['’]?t) (\w+ ){0,2}?(like|love|enjoy|stand)\b|(안|못) ?좋아\S*|좋아하지 ?않\S*|好き(じゃ|では?)な\S*/giu;

/** The profile fields a question asks for. */
export function fieldsAskedFor(text: string): FieldName[] {
  const asked = text.replace(NOT_LIKED, "dislike");
  return (Object.keys(FIELD_WORDS) as FieldName[]).filter((name) => FIELD_WORDS[name].test(asked));
}
