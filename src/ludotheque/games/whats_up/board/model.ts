/** The view of What's Up, its faces and cells, and what the rules say of it. */
import type { GameWords } from "$client/board";
import { CARDS, COLUMNS, type View } from "./rules";

/** What the rules say of a view: `notes` of notation.py. */
export interface Notes {
  /** The complete rows that win, and those of each seat. */
  goal: number;
  complete: number[];
  /** The cards still on the table. */
  left: number;
  /** The turns without a taking that open the vote (0 if there is none), and that end the match. */
  calm: number;
  patience: number;
  is_vote_open: boolean;
  /** The key of the words that say how the match ended, or "". */
  ending: string;
}

/** A card on its way from the grid into a collection. */
export interface Flight {
  id: number;
  cell: number;
  from: number;
  to: number;
  seat: number;
}

export const COLOURS = ["red", "green", "yellow", "purple"] as const;
const LETTERS = "rgyp";

export const COLUMN_LETTERS = [..."abcdef"];
export const ROW_NUMBERS = Array.from({ length: CARDS / COLUMNS }, (_, row) => row + 1);

export const colourOf = (face: number): number => face >> 2;
export const birdsOn = (face: number): number => face & 3;

/** "c4", as the notation has it. */
export const cellName = (cell: number): string =>
  `${COLUMN_LETTERS[cell % COLUMNS]}${Math.floor(cell / COLUMNS) + 1}`;

/** "r2", a key of the game's [names]. */
export const faceKey = (face: number): string => `${LETTERS[colourOf(face)]}${birdsOn(face)}`;

export const rowsOf = (view: View, seat: number): number[] => view.rows[seat] ?? [];

/** Who turned which card last and what came up, or "" before the first turn. */
export function lastTurn(view: View, names: string[], words: GameWords): string {
  if (view.turned < 0) return "";
  return words.board(view.taken ? "took" : "stayed", {
    player: names[view.turner] ?? "",
    cell: cellName(view.turned),
    face: faceKey(view.taken || (view.up[view.turned] ?? 0)),
  });
}
