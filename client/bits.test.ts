import { expect, test } from "vitest";
import { has, numbers } from "./bits";

test("a set holds the numbers whose bits are set", () => {
  expect([0, 1, 2, 3].map((number) => has(0b1010, number))).toEqual([false, true, false, true]);
  expect(numbers(0b1010)).toEqual([1, 3]);
  expect(numbers(0)).toEqual([]);
});

test("sets of more than 32 bits are whole", () => {
  expect(numbers(2 ** 43 + 2 ** 31 + 1)).toEqual([0, 31, 43]);
  expect(has(2 ** 43, 43)).toBe(true);
  expect(has(2 ** 43, 11)).toBe(false);
});
