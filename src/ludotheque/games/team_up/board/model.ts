/** What the board needs to read of a view of Team UP and of its move numbers; rules.py explains both. */
import type { GameWords } from "$client/board";
import { cards, colours, shapes } from "../data/set.json";
import { COLOURS, COLUMNS, DEPTH, LAYERS, PLACEMENTS, PLAIN, WIDTH, type View } from "./rules";

/** What the rules say of a view: `notes` of notation.py. */
export interface Notes {
  /** The layers that are complete. */
  complete: number;
  is_perfect: boolean;
}

export const SHAPES = shapes;

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

// Boxes

export function sizeOf(shape: number, turned: number): Size {
  const { width, depth, height } = SHAPES[shape] ?? { width: 1, depth: 1, height: 1 };
  return turned ? { width: depth, depth: width, height } : { width, depth, height };
}

export const isSquare = (shape: number): boolean => SHAPES[shape]?.width === SHAPES[shape]?.depth;

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

/** How many cells of each layer are filled; columns have no gaps. */
export function filledOf(view: View): number[] {
  return Array.from(
    { length: LAYERS },
    (_, layer) => view.heights.filter((height) => height > layer).length,
  );
}

export const boxesLeft = (view: View): number =>
  view.left.flat().reduce((sum, count) => sum + count, 0);

/** The cards still face down: one bit each, more than a 32-bit number holds. */
export const deckCount = (view: View): number =>
  [...BigInt(view.deck).toString(2)].filter((bit) => bit === "1").length;

// Words

export const cellName = (x: number, y: number): string => `${"abcdef"[x] ?? "?"}${y + 1}`;
export const shapeName = (shape: number): string => SHAPES[shape]?.name ?? `shape${shape + 1}`;
const colourName = (colour: number): string => colours[colour] ?? "";

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
  const found: { colour?: string; shape?: string; shapes?: string[] } = cards[card] ?? {};
  if (found.colour !== undefined) return { colour: colours.indexOf(found.colour), shapes: [] };
  const named = found.shapes ?? (found.shape === undefined ? [] : [found.shape]);
  return { shapes: named.map((name) => SHAPES.findIndex((shape) => shape.name === name)) };
}

export function orderText(card: number, words: GameWords): string {
  const { colour, shapes: wanted } = orderOf(card);
  if (colour !== undefined) return words.board("any_of_colour", { colour: colourName(colour) });
  const [first = 0, second] = wanted.map(shapeName);
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
