/** The built demo in a real browser, with the few steps that every test takes. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch } from "../../../scripts/browser.mjs";
import { demoFolder } from "../../../scripts/demo.mjs";
import { serve } from "../../../scripts/serve.mjs";

const screenshots = fileURLToPath(new URL("../../../artifacts/screenshots/", import.meta.url));

export const desktop = { viewport: { width: 1280, height: 800 } };
export const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** A running demo. Every page it opens is a user of its own; `close` ends all. */
export class Demo {
  static async start() {
    const demo = new Demo();
    demo.server = await serve(demoFolder, 0);
    demo.browser = await launch();
    return demo;
  }

  async close() {
    await this.browser?.close();
    await this.server?.close();
  }

  /** `before` runs in the page ahead of its own scripts. */
  async open({ before, ...options } = desktop) {
    const context = await this.browser.newContext({ locale: "en-US", ...options });
    context.setDefaultTimeout(15_000);
    await context.addInitScript(() => {
      /** What has the focus, also inside the panel. */
      globalThis.focused = () => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        return element;
      };
      /** All that the page shows or holds where nobody looks. */
      globalThis.wholePage = () => [document.documentElement.outerHTML, ...[...document.querySelectorAll("mnemic-panel")].map(({ shadowRoot }) => shadowRoot.innerHTML)].join("");
    });
    const page = await context.newPage();
    if (before) await page.addInitScript(before);
    const user = new Person(page, this.server.url);
    await page.goto(this.server.url);
    await user.composer.or(page.getByRole("alert")).first().waitFor();
    return user;
  }
}

/** Someone at the page. */
export class Person {
  constructor(page, origin) {
    this.page = page;
    /** What the console and the network should not have seen. */
    this.complaints = [];
    /** Where the page may send requests besides its own server. */
    this.allowed = [origin];
    page.on("pageerror", (error) => this.complaints.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
      this.complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      if (!this.allowed.some((allowed) => request.url().startsWith(allowed))) this.complaints.push(`request: ${request.url()}`);
    });
  }

  /** The notice that is shown, of the app or of the panel. */
  get notice() { return this.page.getByTestId("toast").filter({ visible: true }); }
  get composer() { return this.page.getByTestId("composer"); }
  get replies() { return this.page.locator("[data-testid=message-assistant]:not([aria-busy=true])"); }
  get facts() { return this.page.getByTestId("fact"); }

  field(name) { return this.page.getByTestId(`field-${name}`); }
  value(name) { return this.field(name).getByTestId("value"); }
  tab(name) { return this.page.getByTestId(`tab-${name}`).click(); }

  /** Goes to a part of the memory that stands under More. */
  async more(name) {
    await this.tab("more");
    await this.page.getByTestId(`menu-${name}`).click();
  }

  /** Goes to a part of Privacy: `forget`, `lock` or `backup`. */
  async privacy(name) {
    await this.tab("privacy");
    await this.page.getByTestId(`menu-${name}`).click();
  }

  /** Goes to the window, and unfolds a part of it: `model-tools`. */
  async unfold(part) {
    await this.tab("window");
    await this.page.getByTestId(part).locator(":scope > summary").click();
  }

  /** Says something and waits for the reply; answers the reply's element. */
  async say(text) {
    const before = await this.replies.count();
    await this.composer.fill(text);
    await this.composer.press("Enter");
    const reply = this.replies.nth(before);
    await reply.waitFor();
    return reply;
  }

  /** Connects a model behind an endpoint by the settings. */
  async connect(endpoint, key = "") {
    this.allowed.push(endpoint.url);
    await this.page.getByTestId("open-settings").click();
    await this.page.getByTestId("kind-endpoint").check();
    await this.page.getByTestId("setting-url").fill(endpoint.url);
    await this.page.getByTestId("setting-key").fill(key);
    await this.page.getByTestId("setting-model").fill("test-model");
    await this.page.getByTestId("save-settings").click();
    await this.page.getByTestId("settings-dialog").waitFor({ state: "hidden" });
  }

  /** Reloads the page and waits until the chat stands there again. */
  async reload() {
    await this.page.reload();
    await this.composer.waitFor();
  }

  /** Waits until an element shows a text. */
  async sees(locator, text) {
    await locator.filter({ hasText: text }).first().waitFor();
  }

  async screenshot(name) {
    mkdirSync(screenshots, { recursive: true });
    await this.page.screenshot({ path: `${screenshots}${name}.png` });
  }

  /** Leaves; fails when the page complained about anything, except about what the test provoked. */
  async leave(expected = []) {
    await this.page.context().close();
    assert.deepEqual(this.complaints.filter((complaint) => !expected.some((pattern) => pattern.test(complaint))), []);
  }
}
