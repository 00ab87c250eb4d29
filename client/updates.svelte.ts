import { untrack } from "svelte";

/**
 * Calls `arrive` for every update of a board but the first, with what `look` saw before it. An
 * update is known by its `key`: the version, and the seat if that matters. It runs before the page
 * is redrawn, so nothing to be animated is drawn at its end first.
 */
export function onUpdate<Seen>(
  key: () => unknown,
  look: () => Seen,
  arrive: (before: Seen) => void,
): void {
  let last = untrack(key);
  let seen = untrack(look);
  $effect.pre(() => {
    const now = key();
    if (now === last) return;
    last = now;
    untrack(() => {
      const before = seen;
      seen = look();
      arrive(before);
    });
  });
}
