/** The view of rules.py with its numbers, and what the board reads out of it to draw. */
import type { GameWords, Line } from "$client/board";

/** The State of rules.py. */
export interface View {
  seats: number;
  deals: number;
  phase: number;
  deal: number;
  side: number;
  facing: number;
  leader: number;
  pot: number;
  taker: number;
  verdict: number;
  dice: number[];
  laid: number[];
  trick: number[];
  tricks: number[][];
  hands: number[];
}

export const SUITS = 4;
const VALUES = 11;
const CARDS = SUITS * VALUES;
export const FLIP = CARDS;
export const TURN = FLIP + 1;
export const REROLL = TURN + SUITS;
const ROLL = CARDS;
const TOSS = ROLL + 21;
const DICE_SUMS = [
  [2, 3, 4, 5, 6, 7],
  [4, 5, 6, 7, 8],
  [6, 7, 8, 9],
  [8, 9, 10],
  [10, 11],
  [12],
].flat();

const TOSSING = 2;
export const CHANGING = 3;
export const CHOOSING = 4;
export const OVER = 5;

export const NO_CARD = -1;
export const FACE_DOWN = -2;
const ONE_DEAL = 1;
const HAND_SIZE = [0, 0, 15, 14, 11];

export const SUIT_NAMES = ["rose", "feather", "monocle", "hat"] as const;
export const SIDE_NAMES = ["up", "down"] as const;
const VERDICTS = ["", "by_trump", "by_highest", "by_lowest", "all_cancelled", "none_fits"];

export const suitOf = (card: number): number => Math.floor(card / VALUES);
export const valueOf = (card: number): number => (card % VALUES) + 2;
export const suitName = (suit: number): string => SUIT_NAMES[suit % SUITS] ?? "";
export const sideName = (side: number): string => SIDE_NAMES[side] ?? "";

export const trump = (view: View): number => (view.dice[0] ?? 0) + (view.dice[1] ?? 0);
export const isSetUp = (view: View): boolean => trump(view) > 0 && view.phase !== TOSSING;

/** The side of the table, clockwise: two sit face to face, three leave the last one empty. */
export const placeOf = (seats: number, seat: number): number => (seats === 2 ? 2 * seat : seat);

/** Who sits at a side of the table, or undefined. */
export function seatAt(view: View, place: number): number | undefined {
  for (let seat = 0; seat < view.seats; seat++) {
    if (placeOf(view.seats, seat) === place) return seat;
  }
  return undefined;
}

/** The suit that points at a side of the table. */
export const suitAt = (facing: number, place: number): number => (facing + place) % SUITS;

export const ownSuit = (view: View, seat: number): number =>
  suitAt(view.facing, placeOf(view.seats, seat));

/** The cards of a hand, by suit and value. A hand has 44 bits: more than JavaScript's `&` takes. */
export function cardsOf(hand: number): number[] {
  const bits = BigInt(hand);
  return Array.from({ length: CARDS }, (_, card) => card).filter(
    (card) => (bits >> BigInt(card)) & 1n,
  );
}

// How far the match is

export const plannedDeals = (view: View): number => (view.deals === ONE_DEAL ? 1 : view.seats);
export const handSize = (view: View): number => HAND_SIZE[view.seats] ?? 0;

export const wonIn = (view: View, deal: number): number =>
  view.tricks.reduce((sum, row) => sum + (row[deal] ?? 0), 0);

export const tricksPlayed = (view: View): number => view.pot + wonIn(view, view.deal);

/** Changes with every trick that is completed. */
export const trickKey = (view: View): string =>
  `${view.verdict}/${view.deal}/${tricksPlayed(view)}/${view.trick.join()}`;

export function heading(view: View, words: GameWords): string {
  if (view.phase === OVER) return words.board("over");
  const count = plannedDeals(view);
  const deal =
    view.deal === count
      ? words.board("extra_deal")
      : words.board("deal", { number: view.deal + 1, count });
  if (!isSetUp(view)) return `${deal} · ${words.board("setting_up")}`;
  const number = tricksPlayed(view) + 1;
  return `${deal} · ${words.board("trick", { number, count: handSize(view) })}`;
}

// The last trick

/** One sentence on who took the last trick and why; "" before the first. */
export function verdict(view: View, names: string[], words: GameWords): string {
  if (view.verdict === 0) return "";
  const best = view.trick[view.taker];
  const values = best === undefined ? {} : cardWords(best);
  const why = words.board(VERDICTS[view.verdict] ?? "", values);
  if (view.taker >= 0) return words.board("taken", { player: names[view.taker] ?? "", why });
  const endedDeal = view.phase === OVER || tricksPlayed(view) === 0;
  return words.board(endedDeal ? "pot_lost" : "to_pot", { why });
}

export const cardWords = (card: number): { suit: string; value: number } => ({
  suit: suitName(suitOf(card)),
  value: valueOf(card),
});

/** How a card of the last trick fared. */
export type Fate = "" | "won" | "cancelled" | "idle";
export const FATE_WORDS: Record<Fate, string> = {
  "": "",
  won: "winner",
  cancelled: "cancelled",
  idle: "no_use",
};

/** The rules that a trick was played by. */
interface TrickRules {
  facing: number;
  trump: number;
}

export function fates(view: View, lines: Line[]): Fate[] {
  const values = view.trick.slice(0, view.seats).map(valueOf);
  const rules = lastTrickRules(lines, view.seats);
  return values.map((value, seat) => {
    if (seat === view.taker) return "won";
    if (values.some((other, at) => at !== seat && other === value)) return "cancelled";
    if (rules === undefined || value === rules.trump) return "";
    const own = suitAt(rules.facing, placeOf(view.seats, seat));
    return suitOf(view.trick[seat] ?? NO_CARD) === own ? "" : "idle";
  });
}

/** The rules of the last completed trick, read from the log: the view has those of the next one. */
function lastTrickRules(lines: Line[], seats: number): TrickRules | undefined {
  const now: TrickRules = { facing: 0, trump: 0 };
  let found: TrickRules | undefined;
  let laid = 0;
  for (const { seat, move } of lines) {
    if (seat < 0) {
      if (move !== null) applyOutcome(now, move);
    } else if (move === null || move < FLIP) {
      laid = (laid + 1) % seats;
      if (laid === 0) found = { ...now };
    } else if (move >= TURN && move < REROLL) {
      now.facing = (move - TURN + SUITS - placeOf(seats, seat)) % SUITS;
    }
  }
  return found;
}

function applyOutcome(now: TrickRules, outcome: number): void {
  if (outcome >= TOSS) now.facing = (outcome - TOSS) % SUITS;
  else if (outcome >= ROLL) now.trump = DICE_SUMS[outcome - ROLL] ?? 0;
}
