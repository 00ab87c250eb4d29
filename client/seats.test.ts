import { expect, test } from "vitest";
import type { Bot, Person } from "./messages";
import { countPersons, isBot, isHeldBy, isKept, isPerson } from "./seats";

const ann: Person = {
  kind: "person",
  id: "ann",
  name: "Ann",
  avatar: 3,
  kept_by: null,
  stand_in: null,
  is_here: true,
  shares: false,
  is_replaceable: false,
  votes: [],
};
const zola: Bot = { kind: "bot", name: "Zola", avatar: 2, level: "regular", stand_in: null };

test("a seat is held by the person whose id it has", () => {
  expect(isHeldBy(ann, "ann")).toBe(true);
  expect(isHeldBy(ann, "bob")).toBe(false);
});

test("a visitor without a name holds no seat, least of all that of a bot", () => {
  expect([ann, zola, null].map((seat) => isHeldBy(seat, null))).toEqual([false, false, false]);
});

test("no name makes a bot's seat or a free one somebody's", () => {
  expect([zola, null].flatMap((seat) => ["", "Zola"].map((id) => isHeldBy(seat, id)))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test("a free seat is neither a person's nor a bot's", () => {
  expect([ann, zola, null].map(isPerson)).toEqual([true, false, false]);
  expect([ann, zola, null].map(isBot)).toEqual([false, true, false]);
  expect(countPersons([ann, zola, null, ann])).toBe(2);
});

test("only a person's seat is kept by a bot", () => {
  const away = { ...ann, kept_by: "regular" };
  expect([ann, away, zola, null, undefined].map(isKept)).toEqual([
    false,
    true,
    false,
    false,
    false,
  ]);
});
