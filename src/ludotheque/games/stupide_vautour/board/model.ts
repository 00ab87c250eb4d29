/** The view of Stupide Vautour, and what the rules say of it. */
import { CHANCE, type Line } from "$client/board";
import { CARDS } from "./rules";

/** What the rules say of a view: `notes` of notation.py. */
export interface Notes {
  /** The points that are played for, and those still face down if they are open. */
  stakes: number[];
  left: number[];
  /** The seats whose last card a tie has knocked out. */
  struck: number[];
  /** When the match is over: who has more points than the winner, but not alone. */
  tied: number[];
}

/** One round of a finished match: "meerkat" or "vulture", its points, and a card of each seat. */
export interface Round {
  kind: string;
  points: string;
  bids: number[];
}

/** The rounds that a log tells of; a bid that it hides is 0. */
export function roundsOf(lines: Line[]): Round[] {
  const rounds: Round[] = [];
  for (const { seat, move, key, values } of lines) {
    const bids = rounds.at(-1)?.bids;
    if (seat === CHANCE) rounds.push({ kind: key, points: String(values["points"]), bids: [] });
    else if (bids) bids[seat] = move ?? 0;
  }
  return rounds;
}

/** The cards of a hand, which is a set of bits. */
export const cardsOf = (hand: number): number[] =>
  Array.from({ length: CARDS }, (_, place) => place + 1).filter((value) => (hand >> value) & 1);

export const signed = (points: number): string => (points < 0 ? `−${-points}` : `+${points}`);
