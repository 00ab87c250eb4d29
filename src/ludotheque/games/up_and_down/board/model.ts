/** Cards by their numbers, and what is said of the match and of its last trick. */
import type { GameWords } from "$client/board";
import {
  CARD_SUITS,
  CARD_VALUES,
  OVER,
  SIDE_NAMES,
  SUIT_NAMES,
  type Notes,
  type View,
} from "./rules";

/** How a card of the last trick fared. */
export type Fate = Notes["fates"][number];

export const suitOf = (card: number): number => CARD_SUITS[card] ?? 0;
export const valueOf = (card: number): number => CARD_VALUES[card] ?? 0;
export const suitName = (suit: number): string => SUIT_NAMES[suit] ?? "";
export const sideName = (side: number): string => SIDE_NAMES[side] ?? "";

/** Changes with every trick that is completed. */
export const trickKey = (view: View, notes: Notes): string =>
  `${view.verdict}/${view.deal}/${notes.played}/${view.trick.join()}`;

export function heading(view: View, notes: Notes, words: GameWords): string {
  if (view.phase === OVER) return words.board("over");
  const count = notes.deals;
  const deal =
    view.deal === count
      ? words.board("extra_deal")
      : words.board("deal", { number: view.deal + 1, count });
  if (!notes.is_set_up) return `${deal} · ${words.board("setting_up")}`;
  const number = notes.played + 1;
  return `${deal} · ${words.board("trick", { number, count: notes.hand_size })}`;
}

// The last trick

/** One sentence on who took the last trick and why; "" before the first. */
export function verdict(view: View, notes: Notes, names: string[], words: GameWords): string {
  if (notes.verdict === null) return "";
  const why = words.board(...notes.verdict);
  return words.board(notes.went, { player: names[view.taker] ?? "", why });
}

export const cardWords = (card: number): { suit: string; value: number } => ({
  suit: suitName(suitOf(card)),
  value: valueOf(card),
});

/** The words that say so; a card that was merely beaten needs none. */
export const FATE_WORDS: Partial<Record<Fate, string>> = {
  won: "winner",
  cancelled: "cancelled",
  idle: "no_use",
};
