import { expect, test } from "vitest";
import type { MatchInfo } from "../messages";
import { GameWords } from "../words";
import { endingSound, headline } from "./result";

const words = new GameWords(
  "x",
  {
    results: {
      won: "{player} wins with {score, plural, one {# point} other {# points}}",
      shared: "{players} share the victory",
      not_reached: "{players}: {score} points, {target} were to beat",
    },
  },
  "en",
);
const told = (match: Partial<MatchInfo>, options = {}) =>
  headline(match as MatchInfo, ["Ann", "Bob", "Cleo"], options, words, "en");

test("the verdict is told in the game's words, with the winner and the score", () => {
  const match = { verdict: "won", winners: [1], scores: [3, -4, null] };
  expect(told(match)).toBe("Bob wins with −4 points");
});

test("a score of one is a point, not points", () => {
  const match = { verdict: "won", winners: [0], scores: [1, 0, 0] };
  expect(told(match)).toBe("Ann wins with 1 point");
});

test("those who share a victory are all named", () => {
  const match = { verdict: "shared", winners: [0, 2], scores: [3, 1, 3] };
  expect(told(match)).toBe("Ann and Cleo share the victory");
});

test("a verdict without winners names everyone, and what was to beat", () => {
  const match = { verdict: "not_reached", winners: [], scores: [-12, -12, -12] };
  expect(told(match, { target: -6 })).toBe("Ann, Bob, and Cleo: −12 points, −6 were to beat");
});

test.each([
  ["win", [0, 1], [1]],
  ["lose", [0], [1]],
  ["take", [0], []],
  ["take", [], [1]],
] as const)("the sound is %s for seats %j and winners %j", (name, seats, winners) => {
  expect(endingSound([...seats], [...winners])).toBe(name);
});
