/** What an update brought, as it is told and heard; the log tells the moves themselves. */
import type { GameWords, SoundName } from "$client/board";
import { cardText } from "./model";
import type { Notes, View } from "./rules";

/** What is compared with the update before. */
export interface Seen {
  placed: number;
  lost: number;
  card: number;
  complete: number;
  over: boolean;
}

export const seenIn = (view: View, notes: Notes, over: boolean): Seen => ({
  placed: view.placed,
  lost: view.lost,
  card: view.card,
  complete: notes.complete,
  over,
});

export function newsIn(
  view: View,
  notes: Notes,
  last: Seen,
  now: Seen,
  words: GameWords,
): string[] {
  const layers = Array.from({ length: Math.max(0, now.complete - last.complete) }, (_, n) =>
    words.board("layer_done", { layer: last.complete + n + 1 }),
  );
  const card = now.card === last.card ? [] : [cardText(view, words)];
  const isPerfect = now.over && !last.over && notes.is_perfect;
  return [...layers, ...card, ...(isPerfect ? [words.board("perfect")] : [])];
}

export function soundsOf(last: Seen, now: Seen, isWon: boolean): SoundName[] {
  const sounds: SoundName[] = [];
  if (now.placed > last.placed) sounds.push("place");
  if (now.complete > last.complete) sounds.push("take");
  if (now.card !== last.card) sounds.push(now.lost > last.lost ? "lose" : "flip");
  if (now.over && !last.over) sounds.push(isWon ? "win" : "lose");
  return sounds;
}
