import { expect, test } from "vitest";
import type { MatchInfo } from "../messages";
import { listed, placesOf } from "./places";

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

test("a list shows the places at an end with winners, and the seats in order everywhere else", () => {
  const end = { over: true, winners: [1], scores: [2, 9, 4] } as MatchInfo;
  expect(listed(end, 3, false).map(({ seat }) => seat)).toEqual([1, 2, 0]);
  const inOrder = [0, 1, 2].map((seat) => ({ seat, rank: 0 }));
  expect(listed(end, 3, true)).toEqual(inOrder);
  expect(listed({ ...end, over: false }, 3, false)).toEqual(inOrder);
  expect(listed({ ...end, winners: [] }, 3, false)).toEqual(inOrder);
  expect(listed(null, 3, false)).toEqual(inOrder);
});
