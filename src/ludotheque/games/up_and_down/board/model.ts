/** The view of rules.py with its numbers, and what the board reads out of it to draw. */
import type { GameWords } from "$client/board";
import {
  CARDS,
  LOWEST,
  OVER,
  SIDE_NAMES,
  SUIT_NAMES,
  SUITS,
  TOSSING,
  VALUES,
  type View,
} from "./rules";

/** How a card of the last trick fared. */
export type Fate = "won" | "beaten" | "cancelled" | "idle";

/** What the rules say of a view: `notes` of notation.py. */
export interface Notes {
  /** By seat: the side of the table, clockwise, and the suit that points there. */
  places: number[];
  suits: number[];
  /** The value that is trump, 0 before the first roll of a deal. */
  trump: number;
  /** The deals planned, and the tricks in each. */
  deals: number;
  hand_size: number;
  /** Of the last trick, by seat; empty before the first. */
  fates: Fate[];
  /** Why it went where it went: a key of the words with its values. */
  verdict: [string, Record<string, unknown>] | null;
}

export const suitOf = (card: number): number => Math.floor(card / VALUES);
export const valueOf = (card: number): number => (card % VALUES) + LOWEST;
export const suitName = (suit: number): string => SUIT_NAMES[suit % SUITS] ?? "";
export const sideName = (side: number): string => SIDE_NAMES[side] ?? "";

export const isSetUp = (view: View): boolean => view.dice[0] !== 0 && view.phase !== TOSSING;

/** The suit that points at a side of the table. */
export const suitAt = (facing: number, place: number): number => (facing + place) % SUITS;

/** The cards of a hand, by suit and value. A hand has 44 bits: more than JavaScript's `&` takes. */
export function cardsOf(hand: number): number[] {
  const bits = BigInt(hand);
  return Array.from({ length: CARDS }, (_, card) => card).filter(
    (card) => (bits >> BigInt(card)) & 1n,
  );
}

// How far the match is

export const wonIn = (view: View, deal: number): number =>
  view.tricks.reduce((sum, row) => sum + (row[deal] ?? 0), 0);

export const tricksPlayed = (view: View): number => view.pot + wonIn(view, view.deal);

/** Changes with every trick that is completed. */
export const trickKey = (view: View): string =>
  `${view.verdict}/${view.deal}/${tricksPlayed(view)}/${view.trick.join()}`;

export function heading(view: View, notes: Notes, words: GameWords): string {
  if (view.phase === OVER) return words.board("over");
  const count = notes.deals;
  const deal =
    view.deal === count
      ? words.board("extra_deal")
      : words.board("deal", { number: view.deal + 1, count });
  if (!isSetUp(view)) return `${deal} · ${words.board("setting_up")}`;
  const number = tricksPlayed(view) + 1;
  return `${deal} · ${words.board("trick", { number, count: notes.hand_size })}`;
}

// The last trick

/** One sentence on who took the last trick and why; "" before the first. */
export function verdict(view: View, notes: Notes, names: string[], words: GameWords): string {
  if (notes.verdict === null) return "";
  const why = words.board(...notes.verdict);
  if (view.taker >= 0) return words.board("taken", { player: names[view.taker] ?? "", why });
  const endedDeal = view.phase === OVER || tricksPlayed(view) === 0;
  return words.board(endedDeal ? "pot_lost" : "to_pot", { why });
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
