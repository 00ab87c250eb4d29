/** What is revealed, the course of a match as its log tells it, and how points are written. */
import { CHANCE, NOBODY, type Fact, type Line } from "$client/board";
import { UNMATCHED, type Notes, type View } from "./rules";

/** One round of a finished match: "meerkat" or "vulture", its points, and a card of each seat. */
export interface Round {
  kind: string;
  points: string;
  bids: number[];
  /** Who took the stake, or NOBODY. */
  taker: number;
}

/** The rounds that a log tells of to its end, by the option `ties`. */
export function roundsOf(lines: Line[], ties: number): Round[] {
  const rounds: Round[] = [];
  for (const { seat, move, key, values } of lines) {
    const bids = rounds.at(-1)?.bids;
    if (seat === CHANCE)
      rounds.push({ kind: key, points: String(values["points"]), bids: [], taker: NOBODY });
    else if (bids) bids[seat] = move ?? 0;
  }
  let stake = 0;
  for (const round of rounds) {
    stake += Number(round.points.replace("−", "-"));
    round.taker = takerOf(round.bids, stake >= 0, ties);
    if (round.taker !== NOBODY) stake = 0;
  }
  return rounds;
}

/** Whose card takes the stake, as rules.py says; the test plays the recorded matches by it. */
function takerOf(bids: number[], isHigh: boolean, ties: number): number {
  const best = [...new Set(bids)].sort((a, b) => (isHigh ? b - a : a - b));
  const candidates = ties === UNMATCHED ? best : best.slice(0, 2);
  const taking = candidates.find((value) => bids.indexOf(value) === bids.lastIndexOf(value));
  return taking === undefined ? NOBODY : bids.indexOf(taking);
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
