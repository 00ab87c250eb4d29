import { expect, test } from "vitest";
import { next } from "./roving";

test("in a row the arrow keys go round, Home and End jump", () => {
  expect(next("ArrowRight", 4, 5, 1)).toBe(0);
  expect(next("ArrowLeft", 0, 5, 1)).toBe(4);
  expect(next("ArrowDown", 1, 5, 1)).toBe(2);
  expect(next("Home", 3, 5, 1)).toBe(0);
  expect(next("End", 3, 5, 1)).toBe(4);
  expect(next("a", 3, 5, 1)).toBeUndefined();
});

test("in a grid up and down change the row and stop at its edges", () => {
  expect(next("ArrowDown", 1, 12, 6)).toBe(7);
  expect(next("ArrowDown", 7, 12, 6)).toBe(7);
  expect(next("ArrowUp", 7, 12, 6)).toBe(1);
});
