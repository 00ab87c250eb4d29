/* Written by scripts/write_types.py from rules.py and notation.py; do not edit. */

/** The State of rules.py as its viewer sees it: what they may not know is blank. */
export interface View {
  /** 0 … 4 */
  seats: number;
  /** the place of each choice in OPTIONS (0 … 3) */
  mode: number;
  /** the score to reach in a challenge or a competition (-60 … 25) */
  target: number;
  /** 0 … 1 */
  clones: number;
  /** 0 … 1 */
  ceiling: number;
  /** what is awaited, PREPARE … OVER (0 … 5) */
  phase: number;
  /** the seat that draws and places (0 … 3) */
  turn: number;
  /** bit i is set if seat i agrees to stop (0 … 15) */
  agreed: number;
  /** bit i is set while card i lies face down (0 … 68719476735) */
  deck: number;
  /** drawn last, NO_CARD before the first (-1 … 35) */
  card: number;
  /** 1 if that card allowed no box (0 … 1) */
  is_lost: number;
  /** cards that allowed no box: face down on the discard (0 … 36) */
  lost: number;
  /** boxes, by shape, colour (12 × 3 numbers, 0 … 3) */
  left: number[][];
  /** of the columns, in cells (24 numbers, 0 … 204) */
  heights: number[];
  /** boxes on the pallet, in the order of the rows below (0 … 37) */
  placed: number;
  /** the lowest column … (37 numbers, 0 … 5) */
  box_x: number[];
  /** … and row of its base (37 numbers, 0 … 3) */
  box_y: number[];
  /** cells under its base (37 numbers, 0 … 204) */
  box_level: number[];
  /** as it stands, turned or not (37 numbers, 0 … 6) */
  box_width: number[];
  /** 37 numbers, 0 … 6 */
  box_depth: number[];
  /** 37 numbers, 0 … 5 */
  box_height: number[];
  /** 37 numbers, -1 … 11 */
  box_shape: number[];
  /** 37 numbers, -1 … 2 */
  box_colour: number[];
}

export const AGREE = 1730;
export const CHALLENGE = 1;
export const COLOURS = 3;
export const COLUMNS = 24;
export const COMPETITION = 2;
export const DECIDE = 1;
export const DEPTH = 4;
export const DRAW = 1728;
export const LAYERS = 5;
export const LAYER_POINTS = 5;
export const PLACE = 4;
export const PLACEMENTS = 1728;
export const PLAIN = -1;
export const PUZZLE = 3;
export const REFUSE = 1731;
export const STOP = 1729;
export const VOTE = 2;
export const WIDTH = 6;
