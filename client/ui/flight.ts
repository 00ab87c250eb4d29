/** The way from the middle of one element to the middle of another, and how much smaller that is. */
export function flightBetween(from: Element, to: Element): { x: number; y: number; scale: number } {
  const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  // On an enlarged page, boxes are told in pixels of the window and moved in pixels of the element.
  const enlarged = from.currentCSSZoom ?? 1;
  return {
    x: (end.x + end.width / 2 - start.x - start.width / 2) / enlarged,
    y: (end.y + end.height / 2 - start.y - start.height / 2) / enlarged,
    scale: end.width / start.width,
  };
}
