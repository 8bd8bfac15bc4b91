/** A panel to drop in: what a memory holds of a user, from where, and everything that can be done about it. */
export { define } from "./define.js";
export type { Locking, MnemicPanel, PanelProfiles } from "./panel.js";
export type { SectionName } from "./sections.js";
export type { Target as ForgetTarget } from "./forgetting/target.js";
