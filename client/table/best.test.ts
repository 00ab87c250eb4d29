import { beforeEach, expect, test, vi } from "vitest";
import { bestBefore } from "./best";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test("the best score before a match is told, and a better one is kept", () => {
  expect(bestBefore("x", {}, "t/1", 40)).toBe(null);
  expect(bestBefore("x", {}, "t/2", 30)).toBe(40);
  expect(bestBefore("x", {}, "t/3", 50)).toBe(40);
  expect(bestBefore("x", {}, "t/4", 50)).toBe(50);
});

test("a match that is looked at again is not its own rival", () => {
  expect(bestBefore("x", {}, "t/1", 40)).toBe(null);
  expect(bestBefore("x", {}, "t/1", 40)).toBe(null);
});

test("what is played with other options has a record of its own", () => {
  bestBefore("x", { time: 60 }, "t/1", 40);
  expect(bestBefore("x", { time: 0 }, "t/2", 10)).toBe(null);
  expect(bestBefore("x", { time: 60 }, "t/3", 10)).toBe(40);
});
