import { expect, test } from "vitest";
import { codeIn, lessonPath, linkedPath, parse, pathIn } from "./router";

test.each([
  ["/", { page: "lobby" }],
  ["/t/p65nycm5", { page: "table", id: "p65nycm5" }],
  ["/t/p65nycm5/", { page: "table", id: "p65nycm5" }],
  ["/t/p65nycm5/screen", { page: "screen", id: "p65nycm5" }],
  ["/deal/k7m2p9qx", { page: "deal", id: "k7m2p9qx" }],
  ["/deal", { page: "nowhere" }],
  ["/r", { page: "recover" }],
  ["/r/abc.def", { page: "recover" }],
  ["/me", { page: "account" }],
  ["/privacy", { page: "privacy" }],
  ["/privacy/x", { page: "nowhere" }],
  ["/rules/whats_up", { page: "rules", game: "whats_up" }],
  ["/t", { page: "nowhere" }],
  ["/t/a/b", { page: "nowhere" }],
  ["/elsewhere/x", { page: "nowhere" }],
  ["/t/%", { page: "table", id: "%" }],
])("%s leads to its page", (path, route) => {
  expect(parse(path)).toEqual(route);
});

test.each([
  [lessonPath("ubongo"), { lesson: "first", chapter: "", table: "" }],
  [lessonPath("ubongo", "first/contact"), { lesson: "first", chapter: "contact", table: "" }],
  [lessonPath("ubongo", "", "p65nycm5"), { lesson: "first", chapter: "", table: "p65nycm5" }],
])("%s leads to the lesson", (path, place) => {
  const { pathname, search } = new URL(path, "https://play.example");
  expect(parse(pathname, search)).toEqual({ page: "lesson", game: "ubongo", ...place });
});

test("a lesson has no chapters within chapters", () => {
  expect(parse("/learn/ubongo/first/contact/more")).toEqual({ page: "nowhere" });
});

test("what is shared with the app leads to the table in it", () => {
  const route = parse("/share", "?text=Come%20https%3A%2F%2Fplay.example%2Ft%2Fp65nycm5!");
  expect(route.page === "share" && pathIn(route.text)).toBe("/t/p65nycm5");
});

test.each([
  ["p65nycm5", "/t/p65nycm5"],
  [" P65N YCM5 ", "/t/p65nycm5"],
  ["https://play.example/t/p65nycm5?x=1", "/t/p65nycm5"],
  ["https://play.example/t/p65nycm5/screen", "/t/p65nycm5"],
  ["come to play.example/t/p65nycm5 tonight", "/t/p65nycm5"],
  ["beat us: https://play.example/deal/k7m2p9qx", "/deal/k7m2p9qx"],
  ["", ""],
  ["what?", ""],
])("%j leads to %j", (text, path) => {
  expect(pathIn(text)).toBe(path);
});

test.each([
  ["klmqr", "KLMQR"],
  [" K L M Q R ", "KLMQR"],
  ["KLM-QR", "KLMQR"],
  ["KLMQ", ""],
  ["p65nycm5", ""],
  ["https://play.example/t/p65nycm5", ""],
])("%j is the code %j", (text, code) => {
  expect(codeIn(text)).toBe(code);
});

test("what is shared leads somewhere only by a link", () => {
  expect(linkedPath("Come: https://example.org/t/k7m2p9qx !")).toBe("/t/k7m2p9qx");
  expect(linkedPath("nothing of ours")).toBe("");
});
