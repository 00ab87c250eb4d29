import { expect, test } from "vitest";
import { GameWords } from "../words";
import type { Warmup } from "../messages";
import { awaitAdviser, inWords, newlyAdvised, positionOf } from "./hints";

const bid = { seat: 0, move: 7, at: null, key: "bid", values: { value: 7 } };
const sealed = { seat: 1, move: null, at: null, key: "", values: {} };

test("a hint tells the move and the reason in the words of the game", () => {
  const words = new GameWords(
    "x",
    {
      moves: { lay: "lay {card}" },
      hints: { suits: "Lay {card}: it wins {chance} % of the time" },
      names: { rose: "the rose" },
    },
    "en",
  );
  const hint = {
    move: 3,
    key: "lay",
    values: { card: "rose" },
    reason: "suits",
    because: { card: "rose", chance: 60 },
  };
  expect(inWords(hint, words)).toEqual({
    move: "Lay the rose",
    why: "Lay the rose: it wins 60 % of the time",
  });
});

test("advice holds while others lay face down, and no longer than the next open move", () => {
  const before = positionOf(1, 0, [bid]);
  expect(positionOf(1, 0, [bid, sealed])).toBe(before);
  expect(positionOf(1, 0, [bid, sealed, bid])).not.toBe(before);
});

test("advice is for one seat of one match", () => {
  const before = positionOf(1, 0, [bid]);
  expect(positionOf(1, 2, [bid])).not.toBe(before);
  expect(positionOf(2, 0, [bid])).not.toBe(before);
});

test("other seats that ask for a hint are told, our own are not", () => {
  const before = { match: 1, advised: [0, 1, 0, 2] };
  const now = { match: 1, advised: [1, 2, 0, 2] };
  expect(newlyAdvised(before, now, [1])).toEqual([0]);
  expect(newlyAdvised(now, now, [])).toEqual([]);
});

test("hints that were asked for before we came, or in another match, are no news", () => {
  const now = { match: 2, advised: [3] };
  expect(newlyAdvised(undefined, now, [])).toEqual([]);
  expect(newlyAdvised({ match: 1, advised: [0] }, now, [])).toEqual([]);
});

const WARMUPS = [
  { done: 0, total: 0, is_warm: false },
  { done: 1, total: 3, is_warm: false },
  { done: 3, total: 3, is_warm: true },
];

test("an adviser is followed step by step until it is ready", async () => {
  const after: (number | undefined)[] = [];
  const shown: Warmup[] = [];
  await awaitAdviser(
    async (done) => WARMUPS[after.push(done) - 1] as Warmup,
    (progress) => shown.push(progress) > 0,
  );
  expect(after).toEqual([undefined, 0, 1]);
  expect(shown).toEqual(WARMUPS.slice(0, 2));
});

test("nobody asks on for an adviser who is not wanted any more", async () => {
  let asked = 0;
  await awaitAdviser(
    async () => WARMUPS[asked++] as Warmup,
    () => false,
  );
  expect(asked).toBe(1);
});
