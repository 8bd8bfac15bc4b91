/** A drawing of what is around one entity: it in the middle, the others on a ring, the connections between. For screen readers it is a list. */
import type { EntityItem, RelationItem } from "../../types.js";
import { element } from "../page/element.js";
import type { Words } from "../texts/words.js";
import { inWords } from "./relation.js";

const WIDTH = 400;
/** How far the ring is from the middle, across and up. */
const RING = { x: 135, y: 118 };
/** How far one that is alone is from the middle, across. */
const ALONE = 240;
/** The room above the topmost name and below the lowest. */
const MARGIN = 32;
const MOST = 10;
/** With more than so many the words on the lines would cover each other. */
const MOST_LABELLED = 6;
const NAME_WIDTH = 108;
const LABEL_WIDTH = 90;
const LABEL_HEIGHT = 24;
const PILL_HEIGHT = 30;

interface Point {
  readonly x: number;
  readonly y: number;
}

export function neighbourhood(centre: string, others: readonly EntityItem[], relations: readonly RelationItem[], open: (name: string) => void, words: Words): HTMLElement {
  const shown = others.slice(0, MOST);
  const isAlone = shown.length === 1;
  const middle = { x: isAlone ? (WIDTH - ALONE) / 2 : WIDTH / 2, y: 0 };
  const places = new Map<string, Point>(shown.map(({ name }, index) => {
    const angle = (2 * Math.PI * index) / shown.length - Math.PI / 2;
    return [name, isAlone ? { x: middle.x + ALONE, y: 0 } : { x: RING.x * Math.cos(angle) + middle.x, y: RING.y * Math.sin(angle) }];
  }));
  places.set(centre, middle);
  const heights = [...places.values()].map(({ y }) => y);
  const top = Math.min(...heights) - MARGIN;
  const height = Math.max(...heights) + MARGIN - top;
  const lines = relations.flatMap((relation) => {
    const [from, to] = [places.get(relation.from), places.get(relation.to)];
    return from && to && from !== to ? [{ relation, ...seen(relation.from, from, relation.to, to) }] : [];
  });
  const told = new Set<string>();
  const drawing = svg("svg", { viewBox: `0 ${round(top)} ${WIDTH} ${round(height)}`, class: "neighbourhood", role: "list", "aria-label": words.of("around", { name: centre }) },
    svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: "4", refY: "4", markerWidth: "8", markerHeight: "8", orient: "auto" }, svg("path", { d: "M0 0L8 4L0 8z", class: "arrow" }))),
    ...lines.map(({ from, to }) => svg("polyline", { points: [from, between(from, to, 0.8), to].map(({ x, y }) => `${round(x)},${round(y)}`).join(" "), class: "edge", "marker-mid": "url(#arrow)", "aria-hidden": "true" })),
    ...(shown.length > MOST_LABELLED ? [] : lines.flatMap(({ relation, from, to }) => {
      // Between two there is room for one label: the list below has all.
      const pair = [relation.from, relation.to].sort().join("\n");
      if (told.has(pair)) return [];
      told.add(pair);
      const { x, y } = between(from, to, 0.45);
      const text = cut(inWords(relation.relationType), LABEL_WIDTH);
      const isRoomy = Math.abs(to.y - from.y) > LABEL_HEIGHT || Math.abs(to.x - from.x) > widthOf(text);
      return isRoomy ? [svg("text", { x: round(x), y: round(y + 4), class: "edge-label", "aria-hidden": "true" }, text)] : [];
    })),
    node(centre, middle, true),
    ...shown.map(({ name, entityType }) => {
      const how = relations.filter(({ from, to }) => [from, to].includes(name) && [from, to].includes(centre)).map(({ from, relationType, to }) => `${from} ${inWords(relationType)} ${to}`);
      const use = svg("g", { role: "button", tabindex: "0", class: "node-button", "data-testid": "node", "aria-label": [...new Set([cut(name, NAME_WIDTH), name, entityType, ...how])].filter(Boolean).join(", ") }, node(name, places.get(name) ?? middle, false));
      use.addEventListener("click", () => open(name));
      use.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        open(name);
      });
      return svg("g", { role: "listitem" }, use);
    }));
  const left = others.length - shown.length;
  return element("div", { class: "drawing" }, drawing as unknown as HTMLElement, left > 0 && element("p", { class: "hint" }, words.of("moreBelow", { n: left })));
}

/** A name in a pill. */
function node(name: string, { x, y }: Point, isCentre: boolean): SVGElement {
  const text = cut(name, NAME_WIDTH);
  const width = pillWidth(name);
  return svg("g", isCentre ? { class: "node node-centre", "aria-hidden": "true" } : { class: "node" },
    svg("title", {}, name),
    svg("rect", { x: round(x - width / 2), y: round(y - PILL_HEIGHT / 2), width: round(width), height: String(PILL_HEIGHT), rx: String(PILL_HEIGHT / 2) }),
    svg("text", { x: round(x), y: round(y + 4.5) }, text));
}

function pillWidth(name: string): number {
  return widthOf(cut(name, NAME_WIDTH)) + 20;
}

/** The part of a line between two names that neither covers. */
function seen(from: string, start: Point, to: string, end: Point): { from: Point; to: Point } {
  const covered = (name: string): number => Math.min(0.5, pillWidth(name) / 2 / Math.abs(end.x - start.x), PILL_HEIGHT / 2 / Math.abs(end.y - start.y));
  return { from: between(start, end, covered(from)), to: between(start, end, 1 - covered(to)) };
}

function between(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** As much of a text as is about so wide. */
function cut(text: string, most: number): string {
  if (widthOf(text) <= most) return text;
  let kept = "";
  for (const character of text) {
    if (widthOf(`${kept}${character}…`) > most) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** About how wide a text is; the scripts of East Asia are about twice as wide. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) ?? 0) >= 0x1100 ? 13.5 : 7.4;
  return width;
}

function round(number: number): string {
  return number.toFixed(1);
}

function svg(name: string, attributes: Record<string, string>, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}
