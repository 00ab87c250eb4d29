/** Boxes, placements and orders by the numbers of rules.py; cases.json holds this against the rules. */
import { has } from "$client/bits";
import type { Fact, GameWords } from "$client/board";
import {
  CARDS,
  CELL_NAMES,
  COLOURS,
  COLOUR_CARD,
  COLOUR_NAMES,
  COLUMNS,
  DECIDE,
  DEPTH,
  PLACE,
  PLACEMENTS,
  PLAIN,
  SHAPES,
  SHAPE_NAMES,
  VOTE,
  WIDTH,
  type Notes,
  type View,
} from "./rules";

/** A box to be placed. */
export interface Kind {
  shape: number;
  colour: number;
}

/** A box as it stands, or would stand: its lowest column and row, then its sides. */
export interface Standing {
  x: number;
  y: number;
  level: number;
  width: number;
  depth: number;
  height: number;
  shape: number;
  colour: number;
}

export interface Placement extends Kind {
  turned: number;
  x: number;
  y: number;
}

export type Size = Pick<Standing, "width" | "depth" | "height">;

// Moves

export const isPlacement = (move: number): boolean => move < PLACEMENTS;

export function moveOf({ shape, colour, turned, x, y }: Placement): number {
  return ((shape * COLOURS + colour) * 2 + turned) * COLUMNS + y * WIDTH + x;
}

export function placementOf(move: number): Placement {
  return {
    shape: Math.floor(move / (COLOURS * 2 * COLUMNS)),
    colour: Math.floor(move / (2 * COLUMNS)) % COLOURS,
    turned: Math.floor(move / COLUMNS) % 2,
    y: Math.floor(move / WIDTH) % DEPTH,
    x: move % WIDTH,
  };
}

/** The placements among the legal moves of one kind of box, one way round. */
export function spotsOf(legal: number[], kind: Kind, turned: number): Placement[] {
  return legal
    .filter(isPlacement)
    .map(placementOf)
    .filter((p) => p.shape === kind.shape && p.colour === kind.colour && p.turned === turned);
}

/** Why a box may not stand there, as a key of the objections; "" if it may, or if nobody asks. */
export function objectionTo(held: Placement, notes: Notes): string {
  const move = moveOf({ ...held, colour: 0 });
  return Object.entries(notes.refused).find(([, moves]) => moves.includes(move))?.[0] ?? "";
}

// Boxes

export function sizeOf(shape: number, turned: number): Size {
  const [width = 1, depth = 1, height = 1] = SHAPES[shape] ?? [];
  return turned ? { width: depth, depth: width, height } : { width, depth, height };
}

export const isSquare = (shape: number): boolean => SHAPES[shape]?.[0] === SHAPES[shape]?.[1];

export function boxesOf(view: View): Standing[] {
  return Array.from({ length: view.placed }, (_, box) => ({
    x: view.box_x[box] ?? 0,
    y: view.box_y[box] ?? 0,
    level: view.box_level[box] ?? 0,
    width: view.box_width[box] ?? 1,
    depth: view.box_depth[box] ?? 1,
    height: view.box_height[box] ?? 1,
    shape: view.box_shape[box] ?? PLAIN,
    colour: view.box_colour[box] ?? PLAIN,
  }));
}

/** Where a box would come to lie: on the highest column under it. */
export function standingOf(placement: Placement, heights: number[]): Standing {
  const { shape, colour, turned, x, y } = placement;
  const size = sizeOf(shape, turned);
  let level = 0;
  for (let j = y; j < Math.min(DEPTH, y + size.depth); j++) {
    for (let i = x; i < Math.min(WIDTH, x + size.width); i++) {
      level = Math.max(level, heights[j * WIDTH + i] ?? 0);
    }
  }
  return { x, y, level, shape, colour, ...size };
}

/** The box that is seen from above in each column if only `layers` layers are shown. */
export function topsOf(boxes: Standing[], layers: number): (Standing | undefined)[] {
  const tops: (Standing | undefined)[] = Array(COLUMNS).fill(undefined);
  for (const box of boxes) {
    if (box.level >= layers) continue;
    for (let y = box.y; y < box.y + box.depth; y++) {
      for (let x = box.x; x < box.x + box.width; x++) tops[y * WIDTH + x] = box;
    }
  }
  return tops;
}

export const topOf = (box: Standing): number => box.level + box.height;

// What is told

/**
 * The view as far as it is told: with the box, the card and the votes that the facts bring.
 *
 * `own` is a box that this player has placed and the table has not answered yet.
 */
export function toldView(view: View, facts: Fact[], own?: number): View {
  const told = facts.reduce(withFact, view);
  const isThere = told.placed > view.placed;
  return own === undefined || isThere ? told : withBox(told, own);
}

function withFact(view: View, { kind, key, values }: Fact): View {
  if (kind === "place") return withBox(view, Number(values["move"]));
  if (key.startsWith("drawn")) return withCard(view, Number(values["number"]) - 1);
  if (kind === "loss") {
    const face_down = view.face_down + 2 ** view.card;
    return { ...view, phase: DECIDE, is_lost: 1, lost: view.lost + 1, face_down };
  }
  if (kind === "vote") return withVote(view, key, Number(values["seat"]));
  return view;
}

function withBox(view: View, move: number): View {
  const box = standingOf(placementOf(move), view.heights);
  const { shape, colour, placed } = { ...box, placed: view.placed };
  const at = (row: number[], value: number) => row.with(placed, value);
  return {
    ...view,
    placed: placed + 1,
    left: view.left.with(
      shape,
      (view.left[shape] ?? []).map((n, c) => (c === colour ? n - 1 : n)),
    ),
    heights: view.heights.map((height, column) => (isOver(box, column) ? topOf(box) : height)),
    box_x: at(view.box_x, box.x),
    box_y: at(view.box_y, box.y),
    box_level: at(view.box_level, box.level),
    box_width: at(view.box_width, box.width),
    box_depth: at(view.box_depth, box.depth),
    box_height: at(view.box_height, box.height),
    box_shape: at(view.box_shape, shape),
    box_colour: at(view.box_colour, colour),
  };
}

function isOver(box: Standing, column: number): boolean {
  const [x, y] = [column % WIDTH, Math.floor(column / WIDTH)];
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.depth;
}

function withCard(view: View, card: number): View {
  const deck = has(view.deck, card) ? view.deck - 2 ** card : view.deck;
  return { ...view, phase: PLACE, deck, card, is_lost: 0 };
}

/** One refusal ends the vote, so what others said stays until the card comes. */
function withVote(view: View, key: string, seat: number): View {
  if (key === "refused" || has(view.agreed, seat)) return view;
  return { ...view, phase: VOTE, agreed: view.agreed + 2 ** seat };
}

/** The points that the facts bring. */
export const pointsOf = (facts: Fact[]): number =>
  facts.reduce((sum, { values }) => sum + Number(values["points"] ?? 0), 0);

/** Complete layers as far as they are told. */
export const completeIn = (notes: Notes, facts: Fact[]): number =>
  notes.complete + facts.filter(({ kind }) => kind === "gain").length;

/** How many cells of each layer hold a box. */
export const filledIn = (view: View, notes: Notes): number[] =>
  notes.filled.map((_, layer) => view.heights.filter((height) => height > layer).length);

/** The cards that lie open on the discard, those alike side by side; the one in use does not yet. */
export function discardOf(view: View): number[] {
  const isThere = (card: number) =>
    !has(view.deck, card) &&
    !has(view.face_down, card) &&
    !(view.phase === PLACE && card === view.card);
  const order = (card: number) => (CARDS[card] ?? []).map((n) => String(n).padStart(2, "0")).join();
  return [...CARDS.keys()].filter(isThere).sort((a, b) => order(a).localeCompare(order(b)));
}

// Words

export const cellName = (x: number, y: number): string => CELL_NAMES[y * WIDTH + x] ?? "";
export const shapeName = (shape: number): string => SHAPE_NAMES[shape] ?? "";
const colourName = (colour: number): string => COLOUR_NAMES[colour] ?? "";

export function boxName({ shape, colour }: Kind, words: GameWords): string {
  if (shape === PLAIN) return words.board("neutral_box");
  return words.board("box", { shape: shapeName(shape), colour: colourName(colour) });
}

/** What a card asks for: a colour, or one or two shapes. */
export interface Order {
  colour?: number;
  shapes: number[];
}

export function orderOf(card: number): Order {
  const [kind, first, second] = CARDS[card] ?? [];
  if (kind === undefined) return { shapes: [] };
  if (kind === COLOUR_CARD) return { colour: first, shapes: [] };
  return { shapes: first === second ? [first] : [first, second] };
}

export function orderText(card: number, words: GameWords): string {
  const { colour, shapes: wanted } = orderOf(card);
  if (colour !== undefined) return words.board("any_of_colour", { colour: colourName(colour) });
  const [first = "", second] = wanted.map(shapeName);
  if (second === undefined) return words.board("any_of_shape", { shape: first });
  return words.board("either_shape", { first, second });
}

/** The same in as few words as stand under a card. */
export function orderNames(card: number, words: GameWords): string {
  const { colour, shapes: wanted } = orderOf(card);
  const named = colour === undefined ? wanted.map(shapeName) : [colourName(colour)];
  return named.map((name) => words.named(name)).join(" / ");
}

export function cardText(view: View, words: GameWords): string {
  if (view.card < 0) return words.board("no_card");
  const key = view.is_lost ? "card_lost" : "card";
  return words.board(key, { number: view.card + 1, order: orderText(view.card, words) });
}
