/* Written by scripts/write_types.py from rules.py and notation.py; do not edit. */

/** The State of rules.py as its viewer sees it: what they may not know is blank. */
export interface View {
  /** 0 … 4 */
  seats: number;
  /** seconds a round, 0 for none (0 … 3600) */
  time_limit: number;
  /** AUTO, ON or OFF (0 … 2) */
  assist: number;
  /** 0 … 1 */
  fair_hands: number;
  /** seconds before a race of several seats (0 … 10) */
  countdown: number;
  /** ENDS_THE_ROUND or CALLER_IS_OUT (0 … 1) */
  wrong_call: number;
  /** of a hand (0 … 9) */
  cards: number;
  /** milliseconds since the match began (0 … 9007199254740991) */
  clock: number;
  /** the clock when the race of the round began, or will (0 … 9007199254740991) */
  started_at: number;
  /** the clock at the first call, if there are callers (0 … 9007199254740991) */
  called_at: number;
  /** calls[seat]: the clock at the call of each of the callers (4 numbers, 0 … 9007199254740991) */
  calls: number[];
  /** times[round − 1]: milliseconds the race took (6 numbers, 0 … 9007199254740991) */
  times: number[];
  /** READYING, DEALING, STARTING or RACING (0 … 3) */
  phase: number;
  /** begun (0 … 6) */
  rounds: number;
  /** cards of this deal (0 … 36) */
  dealt: number;
  /** deals of this round that were not fair (0 … 20) */
  redeals: number;
  /** bit s is set when seat s is ready for a round (0 … 15) */
  ready: number;
  /** bit s is set when seat s has called (0 … 15) */
  callers: number;
  /** bit s is set when seat s agrees to stop (0 … 15) */
  stoppers: number;
  /** bit s is set when seat s is out of the round (0 … 15) */
  out: number;
  /** hands[seat]: cards, laid or not (4 × 9 numbers, -1 … 107) */
  hands: number[][];
  /** places[seat][i]: where card i of the hand lies, IN_HAND, or SOMEWHERE in a view (4 × 9 numbers, -2 … 4095) */
  places: number[][];
  /** points[seat][round − 1] (4 × 6 numbers, 0 … 10) */
  points: number[][];
  /** verdicts[seat] after a round, or out of it: what `verdict` found, GOOD or a fault, two cards (4 × 3 numbers, 0 … 8) */
  verdicts: number[][];
}

/** What the rules say of a view beyond its fields: `notes` of notation.py. */
export interface Notes {
  /** whether the table helps those who lay */
  assists: boolean;
  /** whether the viewer may lay cards now */
  may_lay: boolean;
  /** cards that must lie on one's field before a call */
  call_needs: number;
  /** by seat: cards on the field */
  laid: number[];
  /** rounds whose points are known */
  counted: number;
  /** seat, card, card, the fault's name */
  faults: [number, number, number, string][];
  /** by judged seat: its first fault and two cards (one card twice: it stands alone), "" if none */
  verdicts: Record<string, [string, number, number]>;
}

export const CALL = 36877;
export const DIRECTIONS = ["n", "e", "s", "w"] as const;
export const FIELD = 32;
export const FIELD_PLACES = 4096;
export const HEIGHT = [2, 3, 2, 3] as const;
export const IN_HAND = -1;
export const RACING = 3;
export const READY = 36879;
export const READYING = 0;
export const ROUNDS = 6;
export const ROUND_SIDES = ["white", "black", "white", "black", "white", "black"] as const;
export const SAME_TIME_MS = 250;
export const SHIFT = 36873;
export const SHIFTS = [-32, 1, 32, -1] as const;
export const STARTING = 2;
export const STOP = 36878;
export const TAKE_BACK = 36864;
export const TEN = 10;
export const TURNED = [[0, 1, 2, 3, 4, 5], [3, 0, 4, 1, 5, 2], [5, 4, 3, 2, 1, 0], [2, 5, 1, 4, 0, 3]] as const;
export const TURNS = 4;
export const WIDTH = [3, 2, 3, 2] as const;
