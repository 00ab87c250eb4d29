import { beforeEach, expect, test, vi } from "vitest";
import { keepTable, recallTable, type LastKnown } from "./last_known";

class FakeStorage {
  [key: string]: unknown;
}
const methods = {
  getItem: (key: string) => (localStorage[key] as string | undefined) ?? null,
  setItem: (key: string, value: string) => (localStorage[key] = value),
  removeItem: (key: string) => delete localStorage[key],
};
beforeEach(() => {
  const storage = new FakeStorage();
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(storage, name, { value, enumerable: false });
  vi.stubGlobal("localStorage", storage);
});

function known(at: number, me: string | null = "a"): LastKnown {
  const match = { legal: [1, 2], awaited: [0], alarm: 5, deadline: 7, scores: [3] };
  return { at, update: { me, match, steps: [{}] }, lines: [], chat: [] } as unknown as LastKnown;
}

test("a table comes back as it was, but nothing can be done there", () => {
  keepTable("t", known(1));
  expect(recallTable("t", "a")).toEqual({
    at: 1,
    update: {
      me: "a",
      match: { legal: [], awaited: [], alarm: -1, deadline: -1, scores: [3] },
      steps: [],
    },
    lines: [],
    chat: [],
  });
});

test("another guest is not shown what this one saw", () => {
  keepTable("t", known(1));
  expect(recallTable("t", "b")).toBeUndefined();
  expect(recallTable("t", null)).toBeUndefined();
});

test("a visitor without a name sees what such a visitor saw", () => {
  keepTable("t", known(1, null));
  expect(recallTable("t", null)?.at).toBe(1);
});

test("the four latest tables are kept", () => {
  for (const [at, id] of ["v", "w", "x", "y", "z"].entries()) keepTable(id, known(at));
  const kept = ["v", "w", "x", "y", "z"].filter((id) => recallTable(id, "a"));
  expect(kept).toEqual(["w", "x", "y", "z"]);
});

test("what is damaged, or cannot be stored, is no error", () => {
  localStorage["ludotheque.table.t"] = "{";
  expect(recallTable("t", "a")).toBeUndefined();
  vi.stubGlobal("localStorage", undefined);
  keepTable("t", known(1));
  expect(recallTable("t", "a")).toBeUndefined();
});
