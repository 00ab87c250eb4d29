/* Written by scripts/write_types.py from rules.py and notation.py; do not edit. */

/** The State of rules.py as its viewer sees it: what they may not know is blank. */
export interface View {
  /** 0 … 4 */
  seats: number;
  /** to be played, or ONE_PER_SEAT (0 … 10) */
  deals: number;
  /** 0 … 1 */
  ties: number;
  /** that each suit has (0 … 11) */
  values: number;
  /** DEALING … OVER (0 … 5) */
  phase: number;
  /** deals finished; also the column of `tricks` for this deal (0 … 11) */
  deal: number;
  /** cards dealt in this deal, one by one round the table (0 … 44) */
  dealt: number;
  /** of the UP & DOWN card that shows: UP or DOWN (0 … 1) */
  side: number;
  /** the suit at place 0; the others follow clockwise (0 … 3) */
  facing: number;
  /** 0 … 3 */
  leader: number;
  /** tricks of this deal that nobody has won (0 … 15) */
  pot: number;
  /** of the last trick; NOBODY if it went into the pot (-2 … 3) */
  taker: number;
  /** why, as listed above; 0 before the first trick (0 … 5) */
  verdict: number;
  /** 0 before the first roll of a deal (2 numbers, 0 … 6) */
  dice: number[];
  /** for this trick, or NO_CARD (4 numbers, -2 … 43) */
  laid: number[];
  /** trick[seat]: the last trick, a card a seat (4 numbers, -1 … 43) */
  trick: number[];
  /** bit s is set if trick[s] could have taken it (0 … 15) */
  able: number;
  /** by seat and deal (4 × 11 numbers, 0 … 15) */
  tricks: number[][];
  /** bit c is set while card c is held (4 numbers, 0 … 17592186044415) */
  hands: number[];
}

/** What the rules say of a view beyond its fields: `notes` of notation.py. */
export interface Notes {
  /** by seat: the side of the table, clockwise */
  places: number[];
  /** by seat: the suit that points there */
  suits: number[];
  /** the same by side of the table, also where nobody sits */
  suits_round: number[];
  /** this deal has its trump and its leader */
  is_set_up: boolean;
  /** the value that is trump, 0 before the first roll of a deal */
  trump: number;
  /** a card of this value is played with */
  has_trump: boolean;
  /** by suit: what could take a trick for whom it points at */
  useful: number[][];
  /** planned */
  deals: number;
  /** tricks in a deal */
  hand_size: number;
  /** tricks of the deal under way */
  played: number;
  /** by deal that is over: tricks that nobody won */
  lost: number[];
  /** of the last trick, by seat; empty before the first */
  fates: ("won" | "beaten" | "cancelled" | "idle")[];
}

export const CARD_SUITS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3] as const;
export const CARD_VALUES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] as const;
export const CHANGING = 3;
export const CHOOSING = 4;
export const FACE_DOWN = -2;
export const FLIP = 44;
export const NO_CARD = -1;
export const OVER = 5;
export const REROLL = 49;
export const SIDE_NAMES = ["up", "down"] as const;
export const SUITS = 4;
export const SUIT_NAMES = ["rose", "feather", "monocle", "hat"] as const;
export const TURN = 45;
export const UP = 0;
