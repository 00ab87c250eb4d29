/** The geometry of the board beside that of the rules: cases.json tells what the rules say. */
import { expect, test } from "vitest";
import cases from "./cases.json";
import { moveOf, orderOf, placementOf, standingOf } from "./model";

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
