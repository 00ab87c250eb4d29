import { expect, test } from "vitest";
import { rangesOf } from "./model";

test("three or more numbers in a row are told as a range", () => {
  expect(rangesOf([])).toEqual([]);
  expect(rangesOf([1, 2, 4, 5, 6, 9, 11, 12, 13, 14, 15])).toEqual(["1", "2", "4–6", "9", "11–15"]);
});
