import { expect, test } from "vitest";
import type { GameInfo, OptionInfo } from "./messages";
import { GameWords } from "./words";
import {
  choiceNamed,
  choicesOf,
  goalsOf,
  isSetByReplay,
  isShown,
  textOf,
  valueOf,
} from "./options";

const option = (change: Partial<OptionInfo>): OptionInfo => ({
  name: "mode",
  default: "normal",
  values: null,
  low: 0,
  high: 0,
  is_seat: false,
  of_replay: [],
  ...change,
});
const mode = option({
  values: ["normal", "challenge", "puzzle"],
  of_replay: ["challenge"],
});
const target = option({ name: "target", default: -60, low: -60, high: 25, of_replay: true });
const deals = option({ name: "deals", default: "each", values: ["each", 1, 2], high: 2 });
const words = new GameWords(
  "x",
  {
    options: {
      mode: { challenge: "again, but better" },
      target: { label: "Score to beat" },
      deals: { each: "one for each player" },
    },
  },
  "en",
);

test("values that only a replay sets are not offered", () => {
  expect(choicesOf(mode)).toEqual(["normal", "puzzle"]);
});

test("a value is told as fixed text only where a replay has set it", () => {
  expect(isSetByReplay(mode, {})).toBe(false);
  expect(isSetByReplay(mode, { mode: "puzzle" })).toBe(false);
  expect(isSetByReplay(mode, { mode: "challenge" })).toBe(true);
  expect(textOf(mode, { mode: "challenge" }, words)).toBe("again, but better");
});

test("an option that only replays have is shown where a replay has set it", () => {
  expect(isShown(mode, {})).toBe(true);
  expect(isShown(target, {})).toBe(false);
  expect(isShown(target, { target: -60 })).toBe(false);
  expect(isShown(target, { target: -3 })).toBe(true);
});

test("a count is told as a figure and sent as a number, its word in words", () => {
  expect(textOf(deals, { deals: 2 }, words)).toBe("2");
  expect(textOf(deals, {}, words)).toBe("one for each player");
  expect(choicesOf(deals).map((choice) => choiceNamed(deals, String(choice)))).toEqual([
    "each",
    1,
    2,
  ]);
});

test("what is not set has its default", () => {
  expect(valueOf(target, {})).toBe(-60);
  expect(valueOf(target, { target: 0 })).toBe(0);
});

test("the score to beat is the goal of a replay", () => {
  const info = { options: [mode, target] } as GameInfo;
  expect(goalsOf(info, { mode: "challenge", target: -3 }, words)).toEqual([
    { label: "Score to beat", value: "−3" },
  ]);
  expect(goalsOf(info, { mode: "puzzle" }, words)).toEqual([]);
});
