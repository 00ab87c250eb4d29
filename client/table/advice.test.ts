import { expect, test } from "vitest";
import { GameWords } from "../words";
import { inWords, positionOf } from "./advice";

const bid = { seat: 0, move: 7, at: null, key: "bid", values: { value: 7 } };
const sealed = { seat: 1, move: null, at: null, key: "", values: {} };

test("a hint tells the move and the reason in the words of the game", () => {
  const words = new GameWords("x", {
    moves: { lay: "lay {card}" },
    hints: { suits: "Lay {card}: it wins {chance} % of the time" },
    names: { rose: "the rose" },
  });
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
