/** Give the focus to what makes the move that a lesson asks for: it is marked, or holds the mark. */
export function focusAsked(board: HTMLElement): void {
  const mark = board.querySelector<HTMLElement>("[data-advised]");
  mark?.closest("button")?.focus({ preventScroll: true });
}
