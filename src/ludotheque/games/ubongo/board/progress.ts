/** How far a player is in a race, as everybody may know it. */
import { has } from "$client/bits";
import type { GameWords } from "$client/board";
import { RACING, type Notes, type View } from "./rules";

export type RaceState = "" | "called" | "out" | "agreed" | "ready";

export function stateOf(view: View, seat: number): RaceState {
  if (has(view.callers, seat)) return "called";
  if (has(view.out, seat)) return "out";
  if (has(view.stoppers, seat)) return "agreed";
  return view.phase !== RACING && has(view.ready, seat) ? "ready" : "";
}

/** The same in words, with the cards laid. */
export function progressOf(
  view: View,
  notes: Notes,
  seat: number,
  names: string[],
  words: GameWords,
): string {
  const count = notes.laid[seat] ?? 0;
  const text = words.board("progress", { player: names[seat] ?? "", count });
  const state = stateOf(view, seat);
  return state === "" ? text : `${text}, ${words.board(state)}`;
}
