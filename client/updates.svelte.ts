import { untrack } from "svelte";

/**
 * Calls `arrive` for every update of a board but the first, with what `look` saw before it. An
 * update is known by its `key`: the version, and the seat if that matters. It comes before the page
 * is redrawn, so what is to be animated is never seen where it will end.
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
