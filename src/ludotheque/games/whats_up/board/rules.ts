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
  /** whose it is: CHANCE's before, NOBODY's at the end (-2 … 3) */
  turn: number;
  /** cells that have had their card, from cell 0 on (0 … 30) */
  dealt: number;
  /** bit i is set until DECK[i] is dealt (0 … 1073741823) */
  undealt: number;
  /** the face that shows in each cell (30 numbers, 0 … 15) */
  up: number[];
  /** the face under it (30 numbers, -1 … 15) */
  down: number[];
  /** bit c is set if the under face of cell c was up once (0 … 1073741823) */
  seen: number;
  /** birds on each row's last card (4 × 4 numbers, 0 … 3) */
  rows: number[][];
  /** turns since the last taking (0 … 32) */
  quiet: number;
  /** 1 if the seat has agreed to end the match (4 numbers, 0 … 1) */
  agreed: number[];
  /** who turned a card last (-2 … 3) */
  turner: number;
  /** the cell of that card (-1 … 29) */
  turned: number;
  /** its face if the turner took it, HOLE if it stayed (0 … 15) */
  taken: number;
}

export const AGREE = 30;
export const CARDS = 30;
export const COLUMNS = 6;
export const FULL = 3;
