import { expect, test } from "vitest";
import type { TableInfo } from "../messages";
import { firstPages } from "./pages";

const table = (id: string) => ({ id }) as TableInfo;
const PAGES: Record<string, { tables: TableInfo[]; next: string }> = {
  "": { tables: [table("a"), table("b")], next: "b" },
  b: { tables: [table("c"), table("d")], next: "d" },
  d: { tables: [table("e")], next: "" },
};
const fetched = (after: string) => Promise.resolve(PAGES[after] ?? { tables: [], next: "" });

test.each([
  [1, "ab", "b"],
  [2, "abcd", "d"],
  [3, "abcde", ""],
  [9, "abcde", ""],
])("the first %i pages list the tables %j and go on after %j", async (count, ids, next) => {
  const found = await firstPages(fetched, count);
  expect({ ...found, tables: found.tables.map(({ id }) => id).join("") }).toEqual({
    tables: ids,
    next,
  });
});

test("a table that moves to the next page between two answers is listed once", async () => {
  const moved = (after: string) =>
    Promise.resolve({ tables: [table("a"), table(after || "b")], next: after ? "" : "b" });
  const { tables } = await firstPages(moved, 2);
  expect(tables.map(({ id }) => id)).toEqual(["a", "b"]);
});
