import { expect, test } from "vitest";
import type { GameInfo } from "../messages";
import { choiceOf, keepChoice } from "./play_choice";

const info = (game: string, seats: number[], bots: string[]): GameInfo => ({
  game,
  rules: 1,
  seats,
  usual_seats: 4,
  age: null,
  minutes: [],
  options: [],
  bots,
  usual_bot: "regular",
  is_timed: false,
  is_team: false,
  has_chance: false,
  has_hints: false,
  lessons: [],
});

test("before anything is chosen, a game is played as is usual", () => {
  expect(choiceOf(info("a", [2, 3, 4], ["regular"]))).toEqual({ seats: 4, level: "regular" });
});

test("each game remembers what was chosen for it", () => {
  const bots = ["novice", "regular", "chaotic"];
  keepChoice("b", { seats: 3, level: "novice" });
  expect(choiceOf(info("b", [2, 3, 4], bots))).toEqual({ seats: 3, level: "novice" });
  expect(choiceOf(info("c", [2, 3, 4], bots))).toEqual({ seats: 4, level: "regular" });
});

test("what the game has no longer is as usual", () => {
  keepChoice("d", { seats: 9, level: "genius" });
  expect(choiceOf(info("d", [2, 4], ["regular"]))).toEqual({ seats: 4, level: "regular" });
});
