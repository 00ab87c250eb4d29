import { expect, test } from "vitest";
import type { Fact } from "$client/board";
import { arrange, turningOf } from "./model";
import type { View } from "./rules";

const view = { up: [1, 9] } as View;
const fact = (kind: string, values: Record<string, unknown>): Fact => ({
  kind,
  key: kind,
  values,
  lasting: true,
  chapter: 0,
});
const turned = fact("turn", { seat: 1, cell: "b1", face: "y2" });

test("nothing turns while nothing is told", () => {
  expect(turningOf(view, [])).toBeUndefined();
  expect(turningOf(view, [fact("vote", { seat: 0 })])).toBeUndefined();
});

test("a card turns from the face that the view shows to the one that is told", () => {
  const turning = { cell: 1, from: 9, to: 10, seat: 1, isTaken: false, isRow: false };
  expect(turningOf(view, [turned])).toEqual(turning);
});

test("it is taken, or completes a row, as soon as that is told", () => {
  const taken = fact("place", { seat: 1, face: "y2" });
  const row = fact("gain", { seat: 1 });
  const told = (facts: Fact[]) => {
    const found = turningOf(view, facts);
    return [found?.isTaken, found?.isRow];
  };
  expect(told([turned, taken])).toEqual([true, false]);
  expect(told([turned, row])).toEqual([true, true]);
});

test("albums lie so that their cards are largest", () => {
  expect(arrange(2, 800, 280)).toEqual({ columns: 2, pairs: 2, slot: 62 });
  expect(arrange(3, 265, 640)).toEqual({ columns: 1, pairs: 1, slot: 43 });
  expect(arrange(4, 374, 280)).toEqual({ columns: 2, pairs: 2, slot: 26 });
  expect(arrange(4, 344, 132)).toEqual({ columns: 4, pairs: 1, slot: 22 });
});

test("albums fill their room at every size", () => {
  for (const seats of [2, 3, 4]) {
    for (const [width, height] of [
      [344, 120],
      [220, 270],
      [265, 640],
      [420, 640],
      [804, 280],
    ] as const) {
      const { columns, pairs, slot } = arrange(seats, width, height);
      const lines = seats / columns;
      const isWide = (slot + 3) * pairs * 3 * columns > width - 24 * columns - 6 * pairs;
      const isHigh = ((slot + 3) * 4 * lines) / pairs > height - 36 * lines - 8;
      expect(isWide || isHigh, `${seats} in ${width} × ${height}`).toBe(true);
    }
  }
});

test("albums have a shape even before their room is known", () => {
  expect(arrange(3, 0, 0)).toEqual({ columns: 3, pairs: 1, slot: 0 });
});
