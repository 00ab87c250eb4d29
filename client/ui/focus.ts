/** Where the focus moves when the element that had it disappears. */

export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

/**
 * Takes the focus if nothing has it, or something around the element, which only held it for a
 * while. Also an attachment, for an element that replaces another.
 */
export function inherit(element: HTMLElement | null | undefined): void {
  if (!element) return;
  if (isFocusLost() || document.activeElement?.contains(element))
    element.focus({ preventScroll: true });
}
