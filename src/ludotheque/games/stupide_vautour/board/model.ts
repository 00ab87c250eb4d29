/** What is revealed, the course of a match as its log tells it, and how points are written. */
import { CHANCE, NOBODY, type Fact, type Line } from "$client/board";
import type { Notes, View } from "./rules";

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

/** The cards of a round that is settled, as far as it has been told. */
export interface Reveal {
  cards: number[];
  struck: number[];
  /** Who takes the stake, and how much it is; NOBODY if nobody does, or not yet. */
  taker: number;
  award: number | undefined;
  /** Whether that is being told just now. */
  isNow: boolean;
}

/** What is revealed now: as the facts tell it, or as it lies there when nothing is played for. */
export function reveal(view: View, notes: Notes, facts: Fact[]): Reveal | undefined {
  const turned = facts.find(({ kind }) => kind === "reveal");
  if (turned) {
    const pairs = turned.values["by_seat"] as [number, string][];
    const taken = facts.find(({ kind }) => kind === "award" || kind === "penalty");
    return {
      cards: pairs.map(([, card]) => Number(card)),
      struck: facts
        .filter(({ kind }) => kind === "cancel")
        .flatMap(({ values }) => values["seats"] as number[]),
      taker: taken ? Number(taken.values["seat"]) : NOBODY,
      award: taken ? view.stake : undefined,
      isNow: taken !== undefined,
    };
  }
  if (view.waiting > 0 || view.rounds === 0) return undefined;
  const { tops, taker } = view;
  return { cards: tops, struck: notes.struck, taker, award: undefined, isNow: false };
}

export const signed = (points: number): string =>
  points < 0 ? `−${-points}` : points > 0 ? `+${points}` : "0";

/** Numbers in rising order, with three or more in a row as one range. */
export function rangesOf(numbers: number[]): string[] {
  const runs: number[][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && run.at(-1) === number - 1) run.push(number);
    else runs.push([number]);
  }
  return runs.flatMap((run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run.map(String)));
}
