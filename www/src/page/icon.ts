/** The few line icons of the page, drawn on a 24-unit square, beside those of the panel. */
import { drawing, SHAPES as PANEL } from "./shared";

const SHAPES = {
  ...PANEL,
  chats: "M4 6h16M4 12h16M4 18h10",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  system: "M4 5h16v11H4zM9 20h6M12 16v4",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5",
  dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  page: "M7 4h10v16H7zM10 9h4M10 13h4",
  tool: "M14.5 5.5a4 4 0 0 1 5 5l-9.5 9.5a2 2 0 0 1-3-3L16 7.5M7 4v6M4 7h6",
  erase: "M9 20h11M5.5 14.5l9-9 5 5-9 9H8.5zM10 10l5 5",
  temporary: "M12 8v5l3 2M5 12a7 7 0 0 1 .6-2.8M7.6 6.6A7 7 0 0 1 10 5.3M14 5.3a7 7 0 0 1 2.4 1.3M18.4 9.2A7 7 0 0 1 19 12M18.4 14.8A7 7 0 0 1 12 19a7 7 0 0 1-6.4-4.2",
  lock: "M7 11h10v9H7zM9 11V8a3 3 0 0 1 6 0v3",
  memory: "M6 4h12v16l-6-4-6 4z",
} as const;

export type IconName = keyof typeof SHAPES;

/** An icon for the eye only: the control around it carries the name. */
export function icon(name: IconName): SVGSVGElement {
  return drawing(SHAPES[name]);
}
