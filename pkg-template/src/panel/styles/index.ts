/** The style sheet of all panels: adopted, so that a strict Content-Security-Policy lets it be. */
import { controls } from "./controls.js";
import { items } from "./items.js";
import { layout } from "./layout.js";
import { tokens } from "./tokens.js";

let sheet: CSSStyleSheet | undefined;

export function styleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(tokens + layout + controls + items);
  }
  return sheet;
}
