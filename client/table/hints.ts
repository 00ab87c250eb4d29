/** What a master would play here, in the words of the game. */
import type { Hint, Line, Warmup } from "../messages";
import { capital, type GameWords } from "../words";

/** A hint as it is read. */
export interface Tip {
  move: string;
  why: string;
}

export const inWords = (hint: Hint, words: GameWords): Tip => ({
  move: capital(words.text("moves", hint.key, hint.values)),
  why: words.text("hints", hint.reason, hint.because),
});

/**
 * Wait until an adviser is ready. `ask` tells how far it is, once more steps are done than that;
 * `show` is called with every answer on the way, and may return false to give up.
 */
export async function awaitAdviser(
  ask: (after?: number) => Promise<Warmup>,
  show: (progress: Warmup) => boolean,
): Promise<void> {
  let progress = await ask();
  while (!progress.is_warm && show(progress)) progress = await ask(progress.done);
}

/**
 * Where a match stands for one seat: advice holds as long as this is the same. A move that others
 * make face down is not a change: they may do so while the adviser still thinks.
 */
export function positionOf(match: number, viewer: number, lines: Line[]): string {
  const told = lines.filter((line) => line.key !== "").length;
  return `${match} ${viewer} ${told}`;
}

/** How many hints each seat has asked for in a match. */
export interface Advised {
  match: number;
  advised: number[];
}

/** The seats, except `ours`, that have asked for a hint since `before`. */
export function newlyAdvised(before: Advised | undefined, now: Advised, ours: number[]): number[] {
  if (before?.match !== now.match) return [];
  const hasAsked = (count: number, seat: number) => count > (before.advised[seat] ?? 0);
  return now.advised.flatMap((count, seat) =>
    hasAsked(count, seat) && !ours.includes(seat) ? [seat] : [],
  );
}
