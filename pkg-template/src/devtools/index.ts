/** A page for those who look inside: log, indexes, background work, requests to models, and how long everything takes. */
export { define } from "./define.js";
export { costOf, type Prices } from "./cost.js";
export type { InspectedMemory, MnemicDevtools } from "./devtools.js";
