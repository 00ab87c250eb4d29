import { expect, test, vi } from "vitest";
import type { MyTable } from "../messages";
import { inOrder, isOurTurn, keep, lastKnown } from "./my_tables";

const storage = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, value: string) => storage.set(key, value),
});

function table(id: string, status: string, awaited: number[] = [], kept: string | null = null) {
  const person = { kind: "person", id: "a", name: "Ann", avatar: 1, kept_by: kept };
  const seats = [person, { kind: "bot", name: "Ada", level: "regular" }];
  const rest = { you: [0], awaited, scores: [], winners: [], used: 0 };
  return { table: { id, status, seats }, ...rest } as unknown as MyTable;
}

test("it is our turn if one of our seats is awaited and no bot plays it", () => {
  expect(isOurTurn(table("t", "playing", [0, 1]))).toBe(true);
  expect(isOurTurn(table("t", "playing", [1]))).toBe(false);
  expect(isOurTurn(table("t", "playing", [0], "novice"))).toBe(false);
});

test("tables that wait for us come first, those that are over last", () => {
  const all = [
    table("over", "over"),
    table("gathering", "gathering"),
    table("theirs", "playing", [1]),
    table("older", "over"),
    table("ours", "playing", [0]),
  ];
  const ids = inOrder(all).map((one) => one.table.id);
  expect(ids).toEqual(["ours", "theirs", "gathering", "over", "older"]);
});

test("a guest has their own list back, and nobody else's", () => {
  keep("a", [table("t", "over")]);
  expect(lastKnown("a")).toEqual([table("t", "over")]);
  expect(lastKnown("b")).toEqual([]);
  const stored = JSON.parse(storage.get("ludotheque.tables") ?? "");
  expect(stored).toEqual({ of: "a", tables: [table("t", "over")] });
});
