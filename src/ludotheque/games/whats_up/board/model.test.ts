import { expect, test } from "vitest";
import type { Fact } from "$client/board";
import { turningOf } from "./model";
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
