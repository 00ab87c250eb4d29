/** Where the focus moves when the element that had it disappears. */

export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

/** Takes the focus if nothing has it. Also an attachment, for an element that replaces another. */
export function inherit(element: HTMLElement | null | undefined): void {
  if (isFocusLost()) element?.focus({ preventScroll: true });
}
