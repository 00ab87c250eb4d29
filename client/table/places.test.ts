import { expect, test } from "vitest";
import { placesOf } from "./places";

const ranks = (winners: number[], scores: (number | null)[]) =>
  placesOf({ winners, scores }).map(({ seat, rank }) => [seat, rank]);

test("the winner comes first and the others by their points", () => {
  expect(ranks([2], [4, -3, 9, 5])).toEqual([
    [2, 1],
    [3, 2],
    [0, 3],
    [1, 4],
  ]);
});

test("players with equal points share a place, and the next one is left out", () => {
  expect(ranks([1], [4, 9, 4, 1])).toEqual([
    [1, 1],
    [0, 2],
    [2, 2],
    [3, 4],
  ]);
});

test("a winner by a rule for ties stands above those who have more points", () => {
  expect(ranks([1], [12, 7, 12])).toEqual([
    [1, 1],
    [0, 2],
    [2, 2],
  ]);
});

test("where nobody wins, everyone stands together", () => {
  expect(ranks([], [21, 21])).toEqual([
    [0, 1],
    [1, 1],
  ]);
});
