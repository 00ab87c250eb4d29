/** Cards by their numbers, how far the match is, and what lies there as far as it has been told. */
import type { Fact, GameWords } from "$client/board";
import {
  CARD_SUITS,
  CARD_VALUES,
  CHANGING,
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

// What has been told

/** Cards that lie face up, and how each of them fared as far as that has been told. */
export interface Trick {
  cards: number[];
  fates: (Fate | undefined)[];
}

/** The trick on the table: as the facts tell it, or the last one until a rule is changed. */
export function trickOf(view: View, notes: Notes, facts: Fact[]): Trick | undefined {
  const turned = facts.find(({ kind }) => kind === "reveal");
  if (turned) return { cards: cardsIn(turned), fates: fatesIn(facts, view.seats) };
  const isLeft = view.phase === OVER || (view.phase === CHANGING && notes.played > 0);
  return isLeft ? { cards: view.trick, fates: notes.fates } : undefined;
}

function cardsIn(turned: Fact): number[] {
  const pairs = turned.values["by_seat"] as [number, [string, { suit: string; value: number }]][];
  return pairs.map(([, [, { suit, value }]]) =>
    CARD_VALUES.findIndex((each, card) => each === value && suitName(suitOf(card)) === suit),
  );
}

function fatesIn(facts: Fact[], seats: number): (Fate | undefined)[] {
  const fates = Array<Fate | undefined>(seats).fill(undefined);
  for (const { kind, values } of facts) {
    if (kind === "cancel")
      for (const seat of values["seats"] as number[]) fates[seat] = "cancelled";
    if (kind === "award") fates[Number(values["seat"])] = "won";
    for (const seat of (values["idle"] as number[] | undefined) ?? []) fates[seat] = "idle";
  }
  return fates;
}

/** What the facts have changed already, though the view is the one before them. */
export interface Standing {
  leader: number;
  pot: number;
  /** By seat: tricks that were won just now. */
  gains: number[];
}

export function standing(view: View, facts: Fact[]): Standing {
  const gains = Array<number>(view.seats).fill(0);
  const now: Standing = { leader: view.leader, pot: view.pot, gains };
  for (const { kind, key, values } of facts) {
    if (key === "leads") now.leader = Number(values["seat"]);
    if (kind === "award") {
      gains[Number(values["seat"])] = Number(values["tricks"]);
      now.pot = 0;
    }
    if (kind === "carry") now.pot = Number(values["tricks"]);
  }
  return now;
}

/** The dice are thrown while this is told first. */
const THROWS = new Set(["first_deal", "next_deal", "extra_deal", "rerolled"]);

export const isThrown = (facts: Fact[]): boolean => THROWS.has(facts[0]?.key ?? "");

/** New hands are dealt while a deal is announced. */
export const isDealt = (facts: Fact[]): boolean => isThrown(facts) && facts[0]?.key !== "rerolled";

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
