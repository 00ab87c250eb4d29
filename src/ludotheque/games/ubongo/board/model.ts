/** Where cards lie on the field, by the numbers of rules.py; cases.json holds this against the rules. */
import { has } from "$client/bits";
import type { Fact } from "$client/board";
import deck from "../data/deck.json";
import {
  DIRECTIONS as DIRECTION_NAMES,
  FIELD,
  FIELD_PLACES,
  HEIGHT,
  RACING,
  READYING,
  ROUND_SIDES,
  SHIFTS,
  TAKE_BACK,
  TURNED,
  TURNS,
  WIDTH,
  type Notes,
  type View,
} from "./rules";

/** The side of a cell in the units of drawings. */
export const CELL = 40;
/** The last seconds of a race are counted. */
export const LATE_S = 10;
/** The directions of the moves that shift all, as columns and rows. */
export const DIRECTIONS = SHIFTS.map((places, n) => ({
  name: DIRECTION_NAMES[n] ?? "",
  dx: places % FIELD,
  dy: Math.trunc(places / FIELD),
}));

/** A card lies with its upper left cell here, after `turns` quarter turns clockwise. */
export interface Spot {
  x: number;
  y: number;
  turn: number;
}

export interface Laid {
  /** Its place in the hand. */
  i: number;
  card: number;
  spot: Spot;
}

export const SYMBOLS: string[] = deck.symbols.map((symbol) => symbol.name);
const LETTERS = deck.symbols.map((symbol) => symbol.letter).join("");
const CARDS = deck.piles.flat();

/** The six symbols of a card, row by row, on its white or its black side. */
export function faceOf(card: number, isBlack: boolean): string[] {
  const { white, black } = CARDS[card] ?? { white: "??????", black: "??????" };
  return [...(isBlack ? black : white)].map((letter) => SYMBOLS[LETTERS.indexOf(letter)] ?? "");
}

export const isBlackRound = (view: View): boolean => ROUND_SIDES[view.rounds - 1] === "black";

export const placeOf = ({ x, y, turn }: Spot): number => (turn * FIELD + y) * FIELD + x;
export const layMove = (i: number, spot: Spot): number => i * FIELD_PLACES + placeOf(spot);
export function spotOf(place: number): Spot {
  return {
    x: place % FIELD,
    y: Math.floor(place / FIELD) % FIELD,
    turn: Math.floor(place / (FIELD * FIELD)),
  };
}

/** The card of the hand that a move lays, and where; undefined if it lays none. */
export function layOf(move: number): { i: number; spot: Spot } | undefined {
  if (move >= TAKE_BACK) return undefined;
  return { i: Math.floor(move / FIELD_PLACES), spot: spotOf(move % FIELD_PLACES) };
}

export const widthOf = (turn: number): number => WIDTH[turn] ?? 0;
export const heightOf = (turn: number): number => HEIGHT[turn] ?? 0;

export function isInside({ x, y, turn }: Spot): boolean {
  return x >= 0 && y >= 0 && x + widthOf(turn) <= FIELD && y + heightOf(turn) <= FIELD;
}

export function overlap(a: Spot, b: Spot): boolean {
  return (
    a.x < b.x + widthOf(b.turn) &&
    b.x < a.x + widthOf(a.turn) &&
    a.y < b.y + heightOf(b.turn) &&
    b.y < a.y + heightOf(a.turn)
  );
}

/** The same card after a quarter turn, about its middle as nearly as the cells allow. */
export function turned(spot: Spot, by: number, isFree: (spot: Spot) => boolean): Spot {
  const turn = (spot.turn + by + TURNS) % TURNS;
  const wide = spot.turn % 2 === 0;
  const near = wide
    ? [
        [0, 0],
        [1, 0],
        [0, -1],
        [1, -1],
      ]
    : [
        [0, 0],
        [-1, 0],
        [0, 1],
        [-1, 1],
      ];
  const spots = near.map(([dx = 0, dy = 0]) => ({ x: spot.x + dx, y: spot.y + dy, turn }));
  return spots.find(isFree) ?? spots.find(isInside) ?? { ...spot };
}

/** Two cells face to face across the border of two cards; x and y are the middle of that border. */
export interface Border {
  a: number;
  b: number;
  x: number;
  y: number;
  /** The cells of the faces of `a` and `b`, as rules.py counts them. */
  cells: [number, number];
}

/** Where each cell of a card lies: its column, its row, and which cell of the face it is. */
function cellsOf({ x, y, turn }: Spot): { x: number; y: number; cell: number }[] {
  const width = widthOf(turn);
  return (TURNED[turn] ?? []).map((cell, n) => ({
    x: x + (n % width),
    y: y + Math.floor(n / width),
    cell,
  }));
}

export function bordersOf(cards: Pick<Laid, "i" | "spot">[]): Border[] {
  const cells = cards.flatMap(({ i, spot }) => cellsOf(spot).map((at) => ({ i, ...at })));
  const found = new Map(cells.map((at) => [`${at.x} ${at.y}`, at]));
  return cells.flatMap((here) =>
    [found.get(`${here.x + 1} ${here.y}`), found.get(`${here.x} ${here.y + 1}`)].flatMap(
      (there): Border[] => {
        if (!there || there.i === here.i) return [];
        const [first, second] = here.i < there.i ? [here, there] : [there, here];
        const middle = { x: (here.x + there.x + 1) / 2, y: (here.y + there.y + 1) / 2 };
        return [{ a: first.i, b: second.i, ...middle, cells: [first.cell, second.cell] }];
      },
    ),
  );
}

/** The symbols that face each other across a border. */
export interface Link extends Border {
  symbols: [string, string];
  isEqual: boolean;
}

export function linksOf(cards: Laid[], isBlack: boolean): Link[] {
  const faces = new Map(cards.map(({ i, card }) => [i, faceOf(card, isBlack)]));
  return bordersOf(cards).map((border) => {
    const { a, b, cells } = border;
    const symbols: [string, string] = [
      faces.get(a)?.[cells[0]] ?? "",
      faces.get(b)?.[cells[1]] ?? "",
    ];
    return { ...border, symbols, isEqual: symbols[0] === symbols[1] };
  });
}

/** A seat, two cards of it that touch wrongly, and the fault's name. */
export type Fault = Notes["faults"][number];

/** Equal symbols do not make a border right: its length may be the fault. */
export function isWrong({ a, b, isEqual }: Link, faults: Fault[]): boolean {
  const isAtFault = ([, first, second, name]: Fault) =>
    name !== "unequal" && first === a && second === b;
  return !isEqual || faults.some(isAtFault);
}

/** Cells side by side at the rim of a face, clockwise; two of them make a contact. */
const RIM = [
  [0, 1],
  [1, 2],
  [2, 5],
  [5, 4],
  [4, 3],
  [3, 0],
] as const;

const SHORT = 2; // of every three pairs: those of a long side, and that of a short one

/** A free border of two cells, from its one end to the other. */
export interface Edge {
  from: [number, number];
  to: [number, number];
}

/** The free borders of laid cards whose two symbols another card could face. */
export function edgesFor(card: number, laid: Laid[], isBlack: boolean): Edge[] {
  const face = faceOf(card, isBlack);
  const offered = RIM.map(([first, second]) => `${face[first]} ${face[second]}`);
  const taken = new Set(laid.flatMap(({ spot }) => cellsOf(spot).map(({ x, y }) => `${x} ${y}`)));
  return laid.flatMap((one) => {
    const symbols = faceOf(one.card, isBlack);
    const at = new Map(cellsOf(one.spot).map((cell) => [cell.cell, cell]));
    return RIM.flatMap(([first, second], n): Edge[] => {
      const [a, b] = [at.get(first), at.get(second)];
      // Face to face, the other card shows the two in the other order.
      const wanted = `${symbols[second]} ${symbols[first]}`;
      if (!a || !b || !offered.some((pair, m) => pair === wanted && canTouch(n, m))) return [];
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const isFree = [a, b].every(({ x, y }) => !taken.has(`${x + dy} ${y - dx}`));
      return isFree ? [borderBeside(a, dx, dy)] : [];
    });
  });
}

/** Whether only these two pairs of the rims would touch: long sides must not lie side by side. */
const canTouch = (n: number, m: number) => n % 3 === SHORT || m % 3 === SHORT || n % 3 === m % 3;

/** The border to the left of a way that leads on by one cell. */
function borderBeside({ x, y }: { x: number; y: number }, dx: number, dy: number): Edge {
  const [middleX, middleY] = [x + 0.5 + dy / 2 - dx / 2, y + 0.5 - dx / 2 - dy / 2];
  return { from: [middleX, middleY], to: [middleX + 2 * dx, middleY + 2 * dy] };
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function boundsOf(spots: Spot[]): Box | undefined {
  if (spots.length === 0) return undefined;
  const x = Math.min(...spots.map((spot) => spot.x));
  const y = Math.min(...spots.map((spot) => spot.y));
  const right = Math.max(...spots.map((spot) => spot.x + widthOf(spot.turn)));
  const lower = Math.max(...spots.map((spot) => spot.y + heightOf(spot.turn)));
  return { x, y, width: right - x, height: lower - y };
}

/** The cards that a seat has laid, as far as the view shows them. */
export function laidCards(view: View, seat: number): Laid[] {
  const hand = view.hands[seat] ?? [];
  return (view.places[seat] ?? []).flatMap((place, i) => {
    const card = hand[i] ?? -1;
    return place >= 0 && card >= 0 ? [{ i, card, spot: spotOf(place) }] : [];
  });
}

/** Milliseconds of the race so far: none before it starts, and no more once somebody has called. */
export function timeSpent(view: View, now: number): number {
  if (view.phase !== RACING) return 0;
  const until = view.callers === 0 ? now : view.called_at;
  return Math.max(0, until - view.started_at);
}

/** Milliseconds of the race to come, −1 if there is no limit. */
export function timeLeft(view: View, now: number): number {
  if (view.phase === READYING || view.time_limit === 0) return -1;
  return Math.max(0, view.time_limit * 1000 - timeSpent(view, now));
}

/** One of several calls that count as simultaneous. */
export interface Call {
  seat: number;
  /** Milliseconds after the first of them. */
  gap: number;
}

/** Who called at the same time in the last round, the earliest first; nobody if one alone did. */
export function closeCalls({ callers, calls, called_at }: View): Call[] {
  const found = calls
    .map((at, seat) => ({ seat, gap: at - called_at }))
    .filter(({ seat }) => has(callers, seat))
    .sort((a, b) => a.gap - b.gap);
  return found.length > 1 ? found : [];
}

/** How far the count of a round has been told. */
export interface Count {
  /** Whose cards are looked at now; nothing has been found yet. */
  checked: number[];
  /** Whose verdict is known, in the order in which they were told. */
  judged: number[];
  isScored: boolean;
}

/** The seats that a fact is about. */
function seatsOf({ values }: Fact): number[] {
  return (values["seats"] as number[] | undefined) ?? [Number(values["seat"])];
}

/** The count as the facts tell it; undefined when everything has been told. */
export function countOf(facts: Fact[]): Count | undefined {
  if (facts.length === 0) return undefined;
  const judged = facts.filter(({ kind }) => kind === "verdict").flatMap(seatsOf);
  const callers = facts[0]?.values["seats"] as number[] | undefined;
  return {
    checked: judged.length === 0 ? (callers ?? []) : [],
    judged,
    isScored: facts.some(({ kind }) => kind === "score"),
  };
}

/** How many cards laid are worth a word to those who do not see them: some, and nearly all. */
export const milestoneOf = (count: number, need: number): number =>
  [need - 1, 3].find((few) => count >= few) ?? 0;

export function timeText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
