/** The course of a match, as its log tells it, and how points are written. */
import { CHANCE, type Line } from "$client/board";

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

export const signed = (points: number): string => (points < 0 ? `−${-points}` : `+${points}`);
