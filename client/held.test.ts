import { expect, test } from "vitest";
import { Held } from "./held.svelte";

test("a move is held until another one is, it is released, or the turn passes", () => {
  const held = new Held();
  held.hold(7, "turn 1");
  expect(held.moveIn("turn 1")).toBe(7);
  held.hold(9, "turn 1");
  expect(held.moveIn("turn 1")).toBe(9);
  expect(held.moveIn("turn 2")).toBe(undefined);
  held.release();
  expect(held.moveIn("turn 1")).toBe(undefined);
});
