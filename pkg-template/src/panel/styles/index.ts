/** The style sheet of all panels: adopted, so that a strict Content-Security-Policy lets it be. */
import { controls } from "./controls.js";
import { forcedColours } from "./forced-colours.js";
import { forgetting } from "./forgetting.js";
import { forms } from "./forms.js";
import { graph } from "./graph.js";
import { history } from "./history.js";
import { items } from "./items.js";
import { layout } from "./layout.js";
import { scores } from "./scores.js";
import { tokens } from "./tokens.js";

let sheet: CSSStyleSheet | undefined;

export function styleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync([tokens, layout, controls, items, history, scores, graph, forms, forgetting, forcedColours].join(""));
  }
  return sheet;
}
