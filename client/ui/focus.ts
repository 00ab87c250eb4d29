/** Where the keyboard goes on when what had the focus has gone. */

export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

/** Takes the focus if nothing has it. Also an attachment, for what comes in place of something. */
export function inherit(element: HTMLElement | null | undefined): void {
  if (isFocusLost()) element?.focus({ preventScroll: true });
}
