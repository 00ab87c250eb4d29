/** The geometry of the board beside that of the rules: cases.json tells what the rules say. */
import { expect, test } from "vitest";
import type { Fact } from "$client/board";
import cases from "./cases.json";
import {
  boxesOf,
  discardOf,
  moveOf,
  objectionTo,
  orderOf,
  placementOf,
  pointsOf,
  standingOf,
  toldView,
} from "./model";
import { CARDBOARD, PAINTS } from "./paint";
import { DECIDE, PLACE, VOTE, type View } from "./rules";

test("a placement is read and written as the rules do", () => {
  for (const [move = -1, shape, colour, turned, x, y] of cases.placement) {
    const placement = placementOf(move);
    expect(placement).toEqual({ shape, colour, turned, x, y });
    expect(moveOf(placement)).toBe(move);
  }
});

test("a box stands where the rules stand it", () => {
  for (const [heights, move, box] of cases.standing as [number[], number, number[]][]) {
    const { x, y, level, width, depth, height } = standingOf(placementOf(move), heights);
    expect([x, y, level, width, depth, height]).toEqual(box);
  }
});

test("a card orders a colour, a shape, or one of two shapes", () => {
  expect(orderOf(2)).toEqual({ colour: 1, shapes: [] });
  expect(orderOf(0)).toEqual({ shapes: [8] });
  expect(orderOf(5)).toEqual({ shapes: [0, 1] });
  expect(orderOf(-1)).toEqual({ shapes: [] });
});

const row = (length: number) => Array<number>(length).fill(0);
const VIEW: View = {
  seats: 2,
  mode: 0,
  target: -60,
  clones: 0,
  ceiling: 0,
  phase: DECIDE,
  turn: 0,
  agreed: 0,
  deck: 2 ** 36 - 1,
  card: -1,
  is_lost: 0,
  lost: 0,
  face_down: 0,
  left: Array.from({ length: 12 }, () => [1, 1, 1]),
  heights: row(24),
  placed: 0,
  box_x: row(37),
  box_y: row(37),
  box_level: row(37),
  box_width: row(37),
  box_depth: row(37),
  box_height: row(37),
  box_shape: row(37),
  box_colour: row(37),
};
const fact = (kind: string, key: string, values: Fact["values"]): Fact => ({
  kind,
  key,
  values,
  lasting: true,
  chapter: 0,
});
const CUBE = { shape: 8, colour: 1, turned: 0, x: 4, y: 0 };
const PLACED = fact("place", "placed", { seat: 0, move: moveOf(CUBE), points: 1 });

test("a box that is told stands on the pallet and is gone from the stock", () => {
  const told = toldView(VIEW, [PLACED]);
  expect(boxesOf(told)).toEqual([standingOf(CUBE, VIEW.heights)]);
  expect(told.left[8]).toEqual([1, 0, 1]);
  expect(told.heights.flatMap((height, column) => (height === 2 ? [column] : []))).toEqual([
    4, 5, 10, 11,
  ]);
});

test("one's own box stands there at once, and only once", () => {
  const own = toldView(VIEW, [], moveOf(CUBE));
  expect(own).toEqual(toldView(VIEW, [PLACED]));
  expect(toldView(VIEW, [PLACED], moveOf(CUBE))).toEqual(own);
});

test("a card is seen, apart from the discard, before it is lost", () => {
  const drawn = fact("turn", "drawn_shape", { seat: 0, number: 10, shape: "mast" });
  const lost = fact("loss", "lost", { seat: 0, points: -1 });
  const seen = { ...VIEW, phase: PLACE, card: 9, deck: VIEW.deck - 2 ** 9 };
  expect(toldView(VIEW, [drawn])).toEqual(seen);
  expect(toldView(VIEW, [drawn, lost])).toEqual({
    ...seen,
    phase: DECIDE,
    is_lost: 1,
    lost: 1,
    face_down: 2 ** 9,
  });
});

test("votes are counted as they are told", () => {
  const proposed = fact("vote", "proposed", { seat: 0 });
  expect(toldView(VIEW, [proposed])).toEqual({ ...VIEW, phase: VOTE, agreed: 1 });
  const asked = { ...VIEW, phase: VOTE, agreed: 1 };
  expect(toldView(asked, [fact("vote", "refused", { seat: 1 })])).toEqual(asked);
});

test("points are added up as they are told", () => {
  expect(pointsOf([PLACED, fact("gain", "layer", { layer: 1, points: 5 })])).toBe(6);
});

test("the discard shows cards alike together, without the lost ones and the one in use", () => {
  const drawn = [0, 2, 11, 12, 9, 35];
  const deck = drawn.reduce((bits, card) => bits - 2 ** card, VIEW.deck);
  const view = { ...VIEW, deck, face_down: 2 ** 9, phase: PLACE, card: 35 };
  expect(discardOf(view)).toEqual([11, 12, 2, 0]);
});

test("what the rules refuse is told for a box of any colour", () => {
  const notes = {
    complete: 0,
    filled: [],
    boxes_left: 0,
    has_target: false,
    refused: { clone: [25], uneven_base: [144 + 7] },
  };
  const held = { shape: 0, colour: 2, turned: 1, x: 1, y: 0 };
  expect(objectionTo(held, notes)).toBe("clone");
  expect(objectionTo({ ...held, shape: 1, turned: 0, y: 1 }, notes)).toBe("uneven_base");
  expect(objectionTo({ ...held, turned: 0 }, notes)).toBe("");
});

test("a colour is told by its sign alone", () => {
  expect(new Set([...PAINTS, CARDBOARD].map(({ sign }) => sign)).size).toBe(PAINTS.length + 1);
});
