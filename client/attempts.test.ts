import { expect, test } from "vitest";
import { attemptText, attemptTexts } from "./attempts";

const team = { names: ["Ann", "Bob"], scores: [17, 17], is_here: true };
const rivals = { names: ["Cleo", "Dan"], scores: [12, -9], is_here: false };
const here = (text: string) => `${text} (here)`;

test("a team is told with its one score", () => {
  expect(attemptText(team, "en")).toBe("Ann and Bob 17");
  expect(attemptText(team, "fr")).toBe("Ann et Bob 17");
});

test("those who play against each other are told with a score each", () => {
  expect(attemptText(rivals, "en")).toBe("Cleo 12, Dan −9");
});

test("a name from right to left keeps its score beside it", () => {
  const attempt = { names: ["דנה", "Dan"], scores: [12, 9], is_here: false };
  expect(attemptText(attempt, "en")).toBe("\u2068דנה\u2069 12, Dan 9");
});

test("a player alone is told with the score", () => {
  expect(attemptText({ names: ["Ann"], scores: [0], is_here: false }, "de")).toBe("Ann 0");
});

test("attempts of this table are marked where there are others", () => {
  expect(attemptTexts([team, rivals], "en", here)).toEqual([
    "Ann and Bob 17 (here)",
    "Cleo 12, Dan −9",
  ]);
  expect(attemptTexts([team, team], "en", here)).toEqual(["Ann and Bob 17", "Ann and Bob 17"]);
  expect(attemptTexts([rivals], "en", here)).toEqual(["Cleo 12, Dan −9"]);
});
