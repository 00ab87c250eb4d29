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
  /** cards that allowed no box, counted for the score (0 … 36) */
  lost: number;
  /** bit i is set if card i is one of them (0 … 68719476735) */
  face_down: number;
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

/** What the rules say of a view beyond its fields: `notes` of notation.py. */
export interface Notes {
  /** layers that are full */
  complete: number;
  /** by layer: cells that hold a box */
  filled: number[];
  boxes_left: number;
  /** there is a score to reach */
  has_target: boolean;
  /** by objection: where the player to place may not stand a box that the card allows, as placements of the first colour */
  refused: Record<string, number[]>;
}

export const AGREE = 1730;
export const CARDS = [[1, 8, 8], [1, 6, 6], [0, 1, 1], [1, 7, 7], [1, 5, 5], [2, 0, 1], [2, 4, 5], [0, 2, 2], [0, 1, 1], [1, 2, 2], [1, 6, 6], [0, 0, 0], [0, 0, 0], [1, 4, 4], [0, 0, 0], [2, 2, 3], [0, 1, 1], [1, 1, 1], [0, 2, 2], [1, 0, 0], [2, 6, 7], [1, 7, 7], [2, 6, 7], [0, 2, 2], [1, 1, 1], [0, 0, 0], [1, 3, 3], [1, 3, 3], [0, 1, 1], [2, 4, 5], [1, 8, 8], [1, 4, 4], [0, 2, 2], [1, 5, 5], [1, 2, 2], [1, 0, 0]] as const;
export const CELL_NAMES = ["a1", "b1", "c1", "d1", "e1", "f1", "a2", "b2", "c2", "d2", "e2", "f2", "a3", "b3", "c3", "d3", "e3", "f3", "a4", "b4", "c4", "d4", "e4", "f4"] as const;
export const COLOURS = 3;
export const COLOUR_CARD = 0;
export const COLOUR_NAMES = ["red", "blue", "white"] as const;
export const COLUMNS = 24;
export const DECIDE = 1;
export const DEPTH = 4;
export const DRAW = 1728;
export const LAYER_POINTS = 5;
export const PLACE = 4;
export const PLACEMENTS = 1728;
export const PLAIN = -1;
export const PUZZLE = 3;
export const REFUSE = 1731;
export const SHAPES = [[1, 1, 2], [1, 2, 1], [1, 1, 3], [1, 3, 1], [1, 2, 2], [2, 2, 1], [1, 3, 2], [2, 3, 1], [2, 2, 2]] as const;
export const SHAPE_NAMES = ["post", "plank", "mast", "beam", "slab", "tile", "wall", "crate", "cube"] as const;
export const STOP = 1729;
export const VOTE = 2;
export const WIDTH = 6;
