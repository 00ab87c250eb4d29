import { expect, test } from "vitest";
import type { MatchInfo } from "../messages";
import { GameWords } from "../words";
import { compared, endingSound, headline, marginOf, seriesOf } from "./result";

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

test.each([
  [
    { winners: [1], scores: [3, 6, 2, 3] },
    { margin: 3, seats: [0, 3] },
  ],
  [
    { winners: [0, 1], scores: [6, 6, 2] },
    { margin: 4, seats: [2] },
  ],
  [{ winners: [0], scores: [6, 6] }, undefined], // fewer cards decided
  [{ winners: [1], scores: [15, 10, 15] }, undefined], // the first two are tied
  [{ winners: [], scores: [3, 3] }, undefined],
  [{ winners: [0, 1], scores: [3, 3] }, undefined],
])("winners are ahead of those who come next: %j", (match, margin) => {
  expect(marginOf(match)).toEqual(margin);
});

test.each([
  [7, "beaten"],
  [5, "equalled"],
  [4, "not_reached"],
] as const)("with the same deal %i is compared in the same seat: %s", (score, outcome) => {
  const attempt = (scores: number[]) => ({ names: ["A", "B"], scores, is_here: true });
  const attempts = [attempt([9, 5]), attempt([1, 3]), attempt([0, score])];
  expect(compared({ scores: [0, score] }, [1], attempts)).toEqual({ outcome, best: 5 });
});

test("the first match with a deal is compared with nothing", () => {
  expect(compared({ scores: [3] }, [0], [{ names: ["A"], scores: [3], is_here: true }])).toBe(
    undefined,
  );
});

test("a series begins with the second match, and the most wins come first", () => {
  const one = (name: string, matches: number, wins: number) => ({
    player: name,
    name,
    avatar: 0,
    matches,
    wins,
  });
  expect(seriesOf([one("Ann", 1, 0), one("Bob", 1, 1)])).toEqual([]);
  const told = seriesOf([one("Ann", 2, 0), one("Bob", 2, 2)]);
  expect(told.map(({ name }) => name)).toEqual(["Bob", "Ann"]);
});
