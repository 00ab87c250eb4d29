import { expect, test } from "vitest";
import type { Bot, Person } from "../messages";
import { comingsOf } from "./comings";

const person = (id: string, name = id): Person => ({
  kind: "person",
  id,
  name,
  avatar: 0,
  kept_by: null,
  stand_in: null,
  is_here: true,
  shares: false,
  is_replaceable: false,
  votes: [],
});
const bot: Bot = { kind: "bot", level: "novice", name: "Meerkat", avatar: 1, stand_in: null };
const ann = person("ann");

test("somebody sits down", () => {
  expect(comingsOf([ann, null], [ann, person("bob")], "ann")).toEqual({
    come: ["bob"],
    gone: [],
    isFreed: false,
  });
});

test("somebody gets up from a full table", () => {
  expect(comingsOf([ann, person("bob")], [ann, null], "ann")).toEqual({
    come: [],
    gone: ["bob"],
    isFreed: true,
  });
});

test("what we do ourselves we know", () => {
  expect(comingsOf([null, bot], [ann, bot], "ann").come).toEqual([]);
});

test("a seat is added, or a bot goes", () => {
  expect(comingsOf([ann, bot], [ann, bot, null], "ann").isFreed).toBe(true);
  expect(comingsOf([ann, bot], [ann, null], "ann").isFreed).toBe(true);
  expect(comingsOf([ann, null], [ann, null, null], "ann").isFreed).toBe(false);
});

test("people who share a device are told apart, and to change seats is no coming", () => {
  const [eve, max] = [person("eve", "Eve"), { ...person("eve", "Max"), shares: true }];
  expect(comingsOf([eve, null], [max, eve], "ann").come).toEqual(["Max"]);
  expect(comingsOf([eve, max], [max, person("eve", "Eva")], "ann")).toMatchObject({
    come: [],
    gone: [],
  });
  expect(comingsOf([ann, eve], [eve, ann], "ann")).toEqual({ come: [], gone: [], isFreed: false });
});

test("nothing is told of a table that is just seen for the first time", () => {
  expect(comingsOf([], [ann, null], "ann").isFreed).toBe(false);
});
