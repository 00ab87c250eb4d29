import { expect, test } from "vitest";
import { soundsOf, type Seen } from "./news";

const BEFORE: Seen = { placed: 4, lost: 0, card: 7, complete: 0, over: false };
const sounds = (change: Partial<Seen>, isWon = false) =>
  soundsOf(BEFORE, { ...BEFORE, ...change }, isWon);

test("nothing new is silent", () => {
  expect(sounds({})).toEqual([]);
});

test("a box is heard, and a layer that it completes", () => {
  expect(sounds({ placed: 5 })).toEqual(["place"]);
  expect(sounds({ placed: 5, complete: 1 })).toEqual(["place", "take"]);
});

test("a card is turned over, and a lost one is regretted", () => {
  expect(sounds({ card: 8 })).toEqual(["flip"]);
  expect(sounds({ card: 8, lost: 1 })).toEqual(["lose"]);
});

test("the end is heard once, won or lost", () => {
  expect(sounds({ over: true }, true)).toEqual(["win"]);
  expect(sounds({ over: true })).toEqual(["lose"]);
  const over = { ...BEFORE, over: true };
  expect(soundsOf(over, over, true)).toEqual([]);
});
