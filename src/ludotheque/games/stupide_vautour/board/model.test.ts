import { expect, test } from "vitest";
import { CHANCE, type Line } from "$client/board";
import carried from "../matches/second-best-and-carry.json";
import doubleTie from "../matches/double-tie-at-five.json";
import nobodyEver from "../matches/nobody-ever.json";
import sums from "../matches/sums.json";
import unmatched from "../matches/unmatched.json";
import { rangesOf, roundsOf } from "./model";
import { UNMATCHED } from "./rules";

test("three or more numbers in a row are told as a range", () => {
  expect(rangesOf([])).toEqual([]);
  expect(rangesOf([1, 2, 4, 5, 6, 9, 11, 12, 13, 14, 15])).toEqual(["1", "2", "4–6", "9", "11–15"]);
});

const MATCHES = [carried, doubleTie, nobodyEver, sums, unmatched];

const lineOf = ([seat, text]: [number, string]): Line => ({
  seat,
  move: Number(text),
  at: null,
  key: "",
  values: seat === CHANCE ? { points: text.replace("-", "−") } : {},
});

test.each(MATCHES)("the rounds have the takers that make the scores: $about", (match) => {
  const ties = match.options.ties === "unmatched" ? UNMATCHED : 0;
  const scores = Array<number>(match.seats).fill(0);
  let stake = 0;
  for (const { points, taker } of roundsOf((match.moves as [number, string][]).map(lineOf), ties)) {
    stake += Number(points.replace("−", "-"));
    if (taker < 0) continue;
    scores[taker] = (scores[taker] ?? 0) + stake;
    stake = 0;
  }
  expect(scores).toEqual(match.result.scores);
});
