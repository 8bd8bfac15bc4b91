/** What an empty chat shows: three things to say, or, once something is known, three things to ask. */
import { element, fill } from "../page/shared";

interface Example {
  readonly lang: string;
  readonly text: string;
}

const TELL: readonly Example[] = [
  { lang: "en", text: "My name is Alice, I live in Lisbon and I love spicy food." },
  { lang: "ko", text: "저는 서울에 살고 매운 음식을 좋아해요." },
  { lang: "ja", text: "私は東京に住んでいます。猫が好きです。" },
];

const ASK: readonly Example[] = [
  { lang: "en", text: "What do you remember about me?" },
  { lang: "ko", text: "내가 어디에 살지?" },
  { lang: "ja", text: "私の好きなものは何ですか？" },
];

export class Welcome {
  readonly element = element("div", { class: "welcome", "data-testid": "welcome" });
  #isAnythingKnown: boolean | undefined;
  readonly #send: (text: string) => void;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  show(isAnythingKnown: boolean): void {
    if (isAnythingKnown === this.#isAnythingKnown) return;
    this.#isAnythingKnown = isAnythingKnown;
    const [heading, text, examples] = isAnythingKnown
      ? ["What shall we talk about?", "Everything you told me in other chats is still here. Try asking for it.", ASK]
      : ["Tell me something about yourself.", "I keep what matters on this device, mark the words it came from, and show you all of it.", TELL];
    fill(
      this.element,
      element("h2", {}, heading),
      element("p", {}, text),
      element("ul", { class: "examples", "aria-label": "Examples" }, ...examples.map((example) =>
        element("li", {}, element("button", {
          type: "button", class: "example", lang: example.lang, "data-testid": "example", onclick: () => this.#send(example.text),
        }, example.text)))),
    );
  }
}
