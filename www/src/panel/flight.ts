/** Lets what moved be seen to move: from where it stood to where it is now. */

const DURATION_MS = 700;
const STAGGER_MS = 70;

/** Where the elements stand now; those that are not seen stand nowhere. */
export function placesOf(elements: readonly Element[]): DOMRect[] {
  return elements.filter((element) => element.checkVisibility()).map((element) => element.getBoundingClientRect());
}

/** Lets a likeness of each place fly to the element, inside `stage`; nothing moves for those who want no motion. */
export function fly(from: readonly DOMRect[], to: Element, stage: Element): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || !to.checkVisibility()) return;
  const end = to.getBoundingClientRect();
  from.forEach((start, index) => {
    const ghost = document.createElement("i");
    ghost.className = "flying";
    ghost.style.left = `${start.left}px`;
    ghost.style.top = `${start.top}px`;
    ghost.style.width = `${start.width}px`;
    ghost.style.height = `${start.height}px`;
    stage.append(ghost);
    const x = end.left + end.width / 2 - (start.left + start.width / 2);
    const y = end.top + end.height / 2 - (start.top + start.height / 2);
    const flight = ghost.animate(
      [{ transform: "none", opacity: 1 }, { transform: `translate(${x}px, ${y}px) scale(0.3)`, opacity: 0.2 }],
      { duration: DURATION_MS, delay: index * STAGGER_MS, easing: "cubic-bezier(0.5, 0, 0.2, 1)", fill: "both" },
    );
    const land = (): void => ghost.remove();
    flight.finished.then(land, land);
  });
}
