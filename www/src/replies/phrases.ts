/** What the memory says for itself, in the three languages. */
import type { FieldName } from "../profile-schema";
import type { Language } from "./language";

export interface Phrases {
  readonly kept: string;
  readonly nothingKept: string;
  /** The same, where it was explained before. */
  readonly nothingKeptAgain: string;
  /** The same in a temporary chat. */
  readonly nothingStays: string;
  /** What was found is not remembered before the user says yes. */
  readonly waiting: string;
  readonly found: string;
  readonly youSaid: string;
  readonly alsoFound: string;
  readonly notFound: string;
  readonly overview: string;
  readonly empty: string;
  readonly more: (count: number) => string;
  readonly forget: string;
  readonly greeting: string;
  readonly thanks: string;
  readonly fields: Record<FieldName, string>;
}

export const PHRASES: Record<Language, Phrases> = {
  en: {
    kept: "I'll remember that:",
    nothingKept: "I saved your message, but found nothing plain enough about you to keep. I look for plain statements in English, Korean, Japanese and Chinese, such as where you live or what you like.",
    nothingKeptAgain: "Saved. Nothing in it to add to what I remember.",
    nothingStays: "This chat is temporary: I keep nothing of it. I can look up what I remember; for other answers, connect a model in the settings.",
    waiting: "I found something worth remembering in that. It waits for you in “What I remember”, under More, To review.",
    found: "Here is what I have on that:",
    youSaid: "You once said:",
    alsoFound: "I also found this:",
    notFound: "I have nothing on that. I can look up what you told me; for other answers, connect a model in the settings.",
    overview: "This is what I remember about you:",
    empty: "I remember nothing about you yet. Tell me something!",
    more: (count) => `and ${count} more in “What I remember”.`,
    forget: "I delete nothing from the chat alone. Find it in “What I remember” and choose Delete there; you can undo it. Forget removes it for good.",
    greeting: "Hello! Tell me something about yourself and I'll remember it.",
    thanks: "You're welcome!",
    fields: { name: "Name", place: "Home", job: "Job", job_status: "Work status", languages: "Languages", likes: "Likes", dislikes: "Dislikes", goals: "Goals", allergies: "Allergies" },
  },
  ko: {
    kept: "기억해 둘게요.",
    nothingKept: "메시지는 저장했지만 기억해 둘 내용은 찾지 못했어요. 사는 곳, 하는 일, 좋아하는 것 같은 이야기를 찾고 있어요.",
    nothingKeptAgain: "저장했어요. 새로 기억할 내용은 없었어요.",
    nothingStays: "임시 대화라서 아무것도 남기지 않아요. 이미 기억하고 있는 내용은 찾아볼 수 있어요.",
    waiting: "기억해 둘 내용을 찾았어요. “What I remember”에서 확인해 주시면 기억할게요.",
    found: "이렇게 기억하고 있어요.",
    youSaid: "전에 이렇게 말씀하셨어요.",
    alsoFound: "이런 내용도 찾았어요.",
    notFound: "그건 기억하고 있지 않아요. 저는 들은 것만 찾아볼 수 있어요. 다른 대답은 설정에서 모델을 연결하면 들을 수 있어요.",
    overview: "지금까지 기억하고 있는 내용이에요.",
    empty: "아직 기억하고 있는 것이 없어요. 자신에 대해 이야기해 주세요!",
    more: (count) => `그 밖에 ${count}개가 “What I remember”에 있어요.`,
    forget: "대화로는 아무것도 지우지 않아요. “What I remember”에서 찾아 Delete를 누르면 지워지고, 되돌릴 수도 있어요. Forget을 누르면 완전히 없어져요.",
    greeting: "안녕하세요! 자신에 대해 이야기해 주시면 기억해 둘게요.",
    thanks: "천만에요!",
    fields: { name: "이름", place: "사는 곳", job: "직업", job_status: "근무 상태", languages: "언어", likes: "좋아하는 것", dislikes: "싫어하는 것", goals: "목표", allergies: "알레르기" },
  },
  ja: {
    kept: "覚えておきます。",
    nothingKept: "メッセージは保存しましたが、覚えておく内容は見つかりませんでした。住んでいる所、仕事、好きなものなどを探しています。",
    nothingKeptAgain: "保存しました。新しく覚えることはありませんでした。",
    nothingStays: "一時的なチャットなので、何も残しません。すでに覚えていることは調べられます。",
    waiting: "覚えておきたいことが見つかりました。「What I remember」でご確認いただけたら覚えます。",
    found: "このように覚えています。",
    youSaid: "以前こうおっしゃいました。",
    alsoFound: "こちらも見つかりました。",
    notFound: "それについては何も覚えていません。私にできるのは、聞いたことを探すことだけです。ほかの答えは、設定でモデルをつなぐと聞けます。",
    overview: "これまでに覚えたことです。",
    empty: "まだ何も覚えていません。あなたのことを教えてください。",
    more: (count) => `ほかに${count}件が「What I remember」にあります。`,
    forget: "会話からは何も消しません。「What I remember」で見つけて Delete を押すと消せます。元に戻すこともできます。Forget を押すと完全に消えます。",
    greeting: "こんにちは。あなたのことを教えてくだされば、覚えておきます。",
    thanks: "どういたしまして。",
    fields: { name: "名前", place: "住まい", job: "仕事", job_status: "就業状況", languages: "言語", likes: "好きなもの", dislikes: "苦手なもの", goals: "目標", allergies: "アレルギー" },
  },
};
