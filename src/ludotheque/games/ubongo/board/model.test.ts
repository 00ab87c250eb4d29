/** The geometry of the board beside that of the rules: cases.json tells what the rules say. */
import { expect, test } from "vitest";
import type { Fact } from "$client/board";
import cases from "./cases.json";
import { glyphOf } from "./glyphs";
import {
  DIRECTIONS,
  SYMBOLS,
  bordersOf,
  closeCalls,
  countOf,
  edgesFor,
  isInside,
  isWrong,
  layMove,
  layOf,
  linksOf,
  milestoneOf,
  overlap,
  timeLeft,
  timeSpent,
  turned,
  type Spot,
} from "./model";
import { FIELD, RACING, READYING, STARTING, TURNS, type View } from "./rules";

const FAR = 4;
const MIDDLE = FIELD / 2;
const range = (low: number, high: number) =>
  Array.from({ length: high - low + 1 }, (_, n) => low + n);

/** Every way in which two cards can stand that are not far apart. */
const PAIRS = range(0, TURNS - 1).flatMap((turn) =>
  range(0, TURNS - 1).flatMap((other) =>
    range(-FAR, FAR).flatMap((dx) => range(-FAR, FAR).map((dy) => [turn, other, dx, dy] as const)),
  ),
);
type Pair = (typeof PAIRS)[number];

const spotsOf = ([turn, other, dx, dy]: Pair): [Spot, Spot] => [
  { x: MIDDLE, y: MIDDLE, turn },
  { x: MIDDLE + dx, y: MIDDLE + dy, turn: other },
];

test("a move that lays a card is read and written as the rules do", () => {
  for (const [move = -1, i = -1, x = -1, y = -1, turn = -1] of cases.lay) {
    expect(layOf(move)).toEqual({ i, spot: { x, y, turn } });
    expect(layMove(i, { x, y, turn })).toBe(move);
  }
});

test("a card is inside the field where the rules say so", () => {
  for (const [turn = -1, right = -1, lower = -1] of cases.inside) {
    for (const x of range(-1, FIELD)) {
      for (const y of range(-1, FIELD)) {
        const isIn = x >= 0 && y >= 0 && x <= right && y <= lower;
        expect(isInside({ x, y, turn }), `${turn} ${x} ${y}`).toBe(isIn);
      }
    }
  }
});

test("cards overlap where the rules refuse the second", () => {
  expect(PAIRS.filter((pair) => overlap(...spotsOf(pair)))).toEqual(cases.covered);
});

test("cards face each other in the cells that the rules name", () => {
  const sorted = (cells: number[][]) => cells.map((pair) => pair.join("–")).sort();
  const found = PAIRS.filter((pair) => !overlap(...spotsOf(pair))).flatMap((pair) => {
    const [a, b] = spotsOf(pair);
    const borders = bordersOf([
      { i: 0, spot: a },
      { i: 1, spot: b },
    ]);
    return borders.length === 0 ? [] : [[...pair, sorted(borders.map(({ cells }) => cells))]];
  });
  const expected = cases.facing.map(([turn, other, dx, dy, cells]) => [
    turn,
    other,
    dx,
    dy,
    sorted(cells as number[][]),
  ]);
  expect(found).toEqual(expected);
});

test("a contact that the rules find wrong is so wherever its symbols are equal", () => {
  const link = { a: 2, b: 5, x: 0, y: 0, cells: [0, 0] as [number, number] };
  const [same, other] = [
    { ...link, symbols: ["eye", "eye"] as [string, string], isEqual: true },
    { ...link, symbols: ["eye", "key"] as [string, string], isEqual: false },
  ];
  const found = (name: string) => [same, other].map((each) => isWrong(each, [[0, 2, 5, name]]));
  expect(found("one_cell")).toEqual([true, true]);
  expect(found("three_cells")).toEqual([true, true]);
  expect(found("unequal")).toEqual([false, true]);
  expect([same, other].map((each) => isWrong(each, [[0, 2, 4, "one_cell"]]))).toEqual([
    false,
    true,
  ]);
});

test("the directions go up, right, down and left", () => {
  const steps = DIRECTIONS.map(({ name, dx, dy }) => [name, dx + 0, dy + 0]);
  expect(steps).toEqual([
    ["n", 0, -1],
    ["e", 1, 0],
    ["s", 0, 1],
    ["w", -1, 0],
  ]);
});

test("four quarter turns bring a card back to where it was", () => {
  const start = { x: MIDDLE, y: MIDDLE, turn: 0 };
  const once = (spot: Spot) => turned(spot, 1, isInside);
  expect(once(once(once(once(start))))).toEqual(start);
});

const told = (kind: string, values: Fact["values"]): Fact => ({
  kind,
  key: kind,
  values,
  lasting: true,
  chapter: 1,
});

test("a count is told from those who called to the points", () => {
  const facts = [
    told("begin", { seats: [1] }),
    told("verdict", { seat: 1 }),
    told("verdict", { seats: [0, 2] }),
    told("score", {}),
  ];
  expect(facts.map((_, n) => countOf(facts.slice(0, n + 1)))).toEqual([
    { checked: [1], judged: [], isScored: false },
    { checked: [], judged: [1], isScored: false },
    { checked: [], judged: [1, 0, 2], isScored: false },
    { checked: [], judged: [1, 0, 2], isScored: true },
  ]);
  expect(countOf([])).toBeUndefined();
});

test("others' progress is worth a word twice in a round", () => {
  const milestones = (need: number) => [...Array(10).keys()].map((n) => milestoneOf(n, need));
  expect(milestones(7)).toEqual([0, 0, 0, 3, 3, 3, 6, 6, 6, 6]);
  expect(milestones(3)).toEqual([0, 0, 2, 2, 2, 2, 2, 2, 2, 2]);
});

const seen = (fields: Partial<View>): View =>
  ({
    phase: RACING,
    time_limit: 60,
    started_at: 5000,
    callers: 0,
    called_at: 0,
    ...fields,
  }) as View;

test("the time of a race runs from the start to the first call", () => {
  const views = [
    seen({ phase: STARTING }),
    seen({}),
    seen({ callers: 2, called_at: 7000 }),
    seen({ phase: READYING }),
  ];
  expect(views.map((view) => timeSpent(view, 9000))).toEqual([0, 4000, 2000, 0]);
  expect(views.map((view) => timeLeft(view, 9000))).toEqual([60_000, 56_000, 58_000, -1]);
  expect(timeLeft(seen({ time_limit: 0 }), 9000)).toBe(-1);
});

test("calls at the same time are put in the order in which they were made", () => {
  const calls = [7080, 0, 7000, 7080];
  expect(closeCalls(seen({ callers: 0b1101, called_at: 7000, calls }))).toEqual([
    { seat: 2, gap: 0 },
    { seat: 0, gap: 80 },
    { seat: 3, gap: 80 },
  ]);
  expect(closeCalls(seen({ callers: 0b0100, called_at: 7000, calls }))).toEqual([]);
});

test("a border is offered to a card where two pairs would face each other", () => {
  const [laid, card] = [{ i: 0, card: 3, spot: { x: MIDDLE, y: MIDDLE, turn: 1 } }, 9];
  for (const isBlack of [false, true]) {
    const fitting = PAIRS.flatMap(([, turn, dx, dy]) => {
      const spot = { x: MIDDLE + dx, y: MIDDLE + dy, turn };
      const links = overlap(laid.spot, spot) ? [] : linksOf([laid, { i: 1, card, spot }], isBlack);
      return links.length === 2 && links.every(({ isEqual }) => isEqual) ? [middleOf(links)] : [];
    });
    const offered = edgesFor(card, [laid], isBlack).map(({ from, to }) =>
      middleOf([
        { x: from[0], y: from[1] },
        { x: to[0], y: to[1] },
      ]),
    );
    expect(offered.length).toBeGreaterThan(0);
    expect(new Set(offered)).toEqual(new Set(fitting));
  }
});

const middleOf = ([a, b]: { x: number; y: number }[]) =>
  `${((a?.x ?? 0) + (b?.x ?? 0)) / 2} ${((a?.y ?? 0) + (b?.y ?? 0)) / 2}`;

test("a border that a card lies at is offered to none", () => {
  const all = range(0, 8).map((n) => ({
    i: n,
    card: 3,
    spot: { x: MIDDLE + 3 * (n % 3), y: MIDDLE + 2 * Math.floor(n / 3), turn: 0 },
  }));
  const inside = edgesFor(3, all, false).filter(
    ({ from, to }) =>
      ![from, to].every(([x]) => x === MIDDLE || x === MIDDLE + 9) &&
      ![from, to].every(([, y]) => y === MIDDLE || y === MIDDLE + 6),
  );
  expect(inside).toEqual([]);
});

test("a symbol is told by its shape alone", () => {
  const shapes = SYMBOLS.map(glyphOf).map(({ fill, line, open }) => `${fill} ${line} ${open}`);
  expect(new Set(shapes).size).toBe(SYMBOLS.length);
});
