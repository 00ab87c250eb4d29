import { expect, test } from "vitest";
import { linkedTable, parse, tableIn } from "./router";

test.each([
  ["/", { page: "lobby" }],
  ["/t/p65nycm5", { page: "table", id: "p65nycm5" }],
  ["/t/p65nycm5/", { page: "table", id: "p65nycm5" }],
  ["/r/abc.def", { page: "recover", token: "abc.def" }],
  ["/rules/whats_up", { page: "rules", game: "whats_up" }],
  ["/t", { page: "nowhere" }],
  ["/t/a/b", { page: "nowhere" }],
  ["/elsewhere/x", { page: "nowhere" }],
  ["/t/%", { page: "table", id: "%" }],
])("%s leads to its page", (path, route) => {
  expect(parse(path)).toEqual(route);
});

test("what is shared with the app leads to the table in it", () => {
  const route = parse("/share", "?text=Come%20https%3A%2F%2Fplay.example%2Ft%2Fp65nycm5!");
  expect(route.page === "share" && tableIn(route.text)).toBe("p65nycm5");
});

test.each([
  ["p65nycm5", "p65nycm5"],
  [" P65N YCM5 ", "p65nycm5"],
  ["https://play.example/t/p65nycm5?x=1", "p65nycm5"],
  ["come to play.example/t/p65nycm5 tonight", "p65nycm5"],
  ["", ""],
  ["what?", ""],
])("the table in %j is %j", (text, table) => {
  expect(tableIn(text)).toBe(table);
});

test("what is shared leads to a table only by a link", () => {
  expect(linkedTable("Come: https://example.org/t/k7m2p9qx !")).toBe("k7m2p9qx");
  expect(linkedTable("nothing of ours")).toBe("");
});
