/** What the page and the panel are both made of. It has one home, beside the panel; the package exports none of it. */
export { Announcer } from "../../../pkg-template/src/panel/page/announcer";
export { element, fill, reason } from "../../../pkg-template/src/panel/page/element";
export { drawing, SHAPES } from "../../../pkg-template/src/panel/page/icon";
export { List, type Row } from "../../../pkg-template/src/panel/page/list";
export { Toast } from "../../../pkg-template/src/panel/page/toast";
