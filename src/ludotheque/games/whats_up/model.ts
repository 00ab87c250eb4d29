/** The view of What's Up, its faces and cells, and the few numbers of the rules the table shows. */
import type { GameWords } from "$client/board";

/** The State of rules.py, as far as the table shows it. */
export interface View {
  seats: number;
  stall: number;
  turn: number;
  dealt: number;
  up: number[];
  down: number[];
  rows: number[][];
  quiet: number;
  agreed: number[];
  turner: number;
  turned: number;
  taken: number;
}

/** A card on its way from the grid into a collection. */
export interface Flight {
  id: number;
  cell: number;
  from: number;
  to: number;
  seat: number;
}

export const COLUMNS = 6;
export const CARDS = 30;
export const COLOURS = ["red", "green", "yellow", "purple"] as const;
export const FULL = 3;
export const AGREE = CARDS;
const LETTERS = "rgyp";
const GOAL = [0, 0, 4, 3, 2];
const BIRDS = [0, 1, 3, 6];
const CALM_ROUNDS = 2;
const LAST_ROUNDS = 6;
const CALM_TURNS = 8;

export const COLUMN_LETTERS = [..."abcdef"];
export const ROW_NUMBERS = [1, 2, 3, 4, 5];

export const colourOf = (face: number): number => face >> 2;
export const birdsOn = (face: number): number => face & 3;

/** "c4", as the notation has it. */
export const cellName = (cell: number): string =>
  `${COLUMN_LETTERS[cell % COLUMNS]}${Math.floor(cell / COLUMNS) + 1}`;

/** "r2", a key of the game's [names]. */
export const faceKey = (face: number): string => `${LETTERS[colourOf(face)]}${birdsOn(face)}`;

export const rowsOf = (view: View, seat: number): number[] => view.rows[seat] ?? [];
export const goalOf = (view: View): number => GOAL[view.seats] ?? 0;
export const completeOf = (view: View, seat: number): number =>
  rowsOf(view, seat).filter((reach) => reach === FULL).length;
export const birdsOf = (view: View, seat: number): number =>
  rowsOf(view, seat).reduce((sum, reach) => sum + (BIRDS[reach] ?? 0), 0);
export const cardsLeft = (view: View): number => view.up.filter((face) => face > 0).length;

/** The turns without a taking that open the vote (0 if there is none), and that end the match. */
export const voteAt = (view: View): number => (view.stall === 0 ? view.seats * CALM_ROUNDS : 0);
export const endAt = (view: View): number =>
  view.stall === 0 ? view.seats * (CALM_ROUNDS + LAST_ROUNDS) : CALM_TURNS;
export const isVoteOpen = (view: View): boolean => voteAt(view) > 0 && view.quiet >= voteAt(view);

/** The key of the words that say how the match ended. */
export function ending(view: View): string {
  const seats = [...Array(view.seats).keys()];
  if (seats.some((seat) => completeOf(view, seat) >= goalOf(view))) return "goal";
  if (view.quiet === 0) return "leftover";
  return seats.every((seat) => view.agreed[seat]) ? "agreement" : "stalled";
}

/** Who turned which card last and what came up, or "" before the first turn. */
export function lastTurn(view: View, names: string[], words: GameWords): string {
  if (view.turned < 0) return "";
  return words.board(view.taken ? "took" : "stayed", {
    player: names[view.turner] ?? "",
    cell: cellName(view.turned),
    face: faceKey(view.taken || (view.up[view.turned] ?? 0)),
  });
}
