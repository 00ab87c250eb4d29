/* Written by scripts/write_types.py from rules.py and notation.py; do not edit. */

/** The State of rules.py as its viewer sees it: what they may not know is blank. */
export interface View {
  /** 0 … 4 */
  seats: number;
  /** 0 … 1 */
  stall: number;
  /** 0 … 1 */
  open_memory: number;
  /** the seat that begins, CHANCE to have it drawn (-1 … 3) */
  first: number;
  /** CHANCE's while cards are dealt, NOBODY's at the end (-2 … 3) */
  turn: number;
  /** cells that have had their card, from cell 0 on (0 … 30) */
  dealt: number;
  /** bit i is set until DECK[i] is dealt (0 … 1073741823) */
  undealt: number;
  /** the face that shows in each cell (30 numbers, 0 … 15) */
  up: number[];
  /** the face under it (30 numbers, -1 … 15) */
  down: number[];
  /** bit c is set if the under face of cell c was up before (0 … 1073741823) */
  seen: number;
  /** rows[seat]: birds on each row's last card (4 × 4 numbers, 0 … 3) */
  rows: number[][];
  /** turns since the last taking (0 … 32) */
  quiet: number;
  /** agreed[seat]: 1 if the seat has agreed to end the match (4 numbers, 0 … 1) */
  agreed: number[];
  /** who turned a card last (-2 … 3) */
  turner: number;
  /** the cell of that card (-1 … 29) */
  turned: number;
  /** its face if the turner took it, HOLE if it stayed (0 … 15) */
  taken: number;
}

/** What the rules say of a view beyond its fields: `notes` of notation.py. */
export interface Notes {
  /** complete rows that win */
  goal: number;
  /** complete rows of each seat */
  complete: number[];
  /** cards on the table */
  left: number;
  /** turns without a taking that open the vote, 0 where there is none */
  calm: number;
  /** turns without a taking that end the match */
  quiet_limit: number;
  /** rounds without a taking until then, 0 where turns are counted */
  rounds_left: number;
  is_vote_open: boolean;
  /** how the match ended, a key of [board], or "" before the end */
  ending: string;
}

export const AGREE = 30;
export const CARDS = 30;
export const CELL_NAMES = ["a1", "b1", "c1", "d1", "e1", "f1", "a2", "b2", "c2", "d2", "e2", "f2", "a3", "b3", "c3", "d3", "e3", "f3", "a4", "b4", "c4", "d4", "e4", "f4", "a5", "b5", "c5", "d5", "e5", "f5"] as const;
export const COLOURS = 4;
export const COLOUR_NAMES = ["red", "green", "yellow", "purple"] as const;
export const COLUMNS = 6;
export const COLUMN_LETTERS = "abcdef";
export const FACE_BIRDS = [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3] as const;
export const FACE_COLOURS = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3] as const;
export const FACE_NAMES = ["r0", "r1", "r2", "r3", "g0", "g1", "g2", "g3", "y0", "y1", "y2", "y3", "p0", "p1", "p2", "p3"] as const;
export const FULL = 3;
export const ROW_FACES = [[0, 1, 2, 3], [0, 5, 6, 7], [0, 9, 10, 11], [0, 13, 14, 15]] as const;
