/* Written by scripts/write_types.py from rules.py and notation.py; do not edit. */

/** The State of rules.py as its viewer sees it: what they may not know is blank. */
export interface View {
  /** 0 … 5 */
  seats: number;
  /** 0 … 1 */
  ties: number;
  /** 0 … 1 */
  open_discards: number;
  /** 0 … 1 */
  open_scores: number;
  /** in a series, and as many point cards (0 … 15) */
  cards: number;
  /** begun (0 … 15) */
  rounds: number;
  /** seats that have not bid in this round (0 … 5) */
  waiting: number;
  /** the sum of the point cards on the table (-15 … 55) */
  stake: number;
  /** who took the stake of the last round (-2 … 4) */
  taker: number;
  /** bit i is set while POINTS[i] lies face down (0 … 32767) */
  pile: number;
  /** bit i is set while POINTS[i] is played for (0 … 32767) */
  table: number;
  /** bit v is set while the card v is held (5 numbers, 0 … 65535) */
  hands: number[];
  /** bids[seat]: laid in this round, 0 for none yet (5 numbers, -1 … 15) */
  bids: number[];
  /** tops[seat]: the last card each has played, 0 for none (5 numbers, 0 … 15) */
  tops: number[];
  /** bit s is set if a tie knocked tops[s] out (0 … 31) */
  struck: number;
  /** 5 numbers, -99 … 55 */
  scores: number[];
}

/** What the rules say of a view beyond its fields: `notes` of notation.py. */
export interface Notes {
  /** the points that are played for */
  stakes: number[];
  /** those still face down, if scores are open */
  left: number[];
  /** the seats whose last card a tie knocked out */
  struck: number[];
  /** at the end: the seats with more points than a winner, but not alone */
  tied: number[];
  /** rounds that are over */
  settled: number;
}

export const UNMATCHED = 1;
