/**
 * Whether a click is a finger's. Browsers before 2025 do not say so of a `click`, so that the kind of
 * pointer is remembered from the `pointerdown` before it.
 */
let latest = "";

globalThis.document?.addEventListener("pointerdown", ({ pointerType }) => (latest = pointerType), {
  capture: true,
  passive: true,
});

export function isTouch(click: MouseEvent & { pointerType?: string }): boolean {
  if (click.detail === 0) return false; // by a key, a screen reader or a script
  return (click.pointerType ?? latest) === "touch";
}
