/** The few line icons of the panel, drawn on a 24-unit square. */

export const SHAPES = {
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  edit: "M4 20l1-4L16 5l3 3L8 19l-4 1zM14 7l3 3",
  pin: "M9 4h6l-1 6 3 4H7l3-4zM12 14v6",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  back: "M19 12H5M11 6l-6 6 6 6",
  bin: "M5 7h14M10 11v6M14 11v6M7 7l1 13h8l1-13M9 7V4h6v3",
} as const;

export type IconName = keyof typeof SHAPES;

/** An icon for the eye only: the control around it carries the name. */
export function icon(name: IconName): SVGSVGElement {
  return drawing(SHAPES[name]);
}

export function drawing(shape: string): SVGSVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("class", "icon");
  made.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", shape);
  made.append(path);
  return made;
}
