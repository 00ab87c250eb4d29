import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { beforeEach, expect, test, vi } from "vitest";

const SOURCE = readFileSync(new URL("./public/service-worker.js", import.meta.url), "utf-8");
const ORIGIN = "https://table.example";

const stored = new Map<string, Response>();
const nameOf = (key: string | { url: string }) =>
  typeof key === "string" ? key : key.url.slice(ORIGIN.length);
const cache = {
  match: async (key: string | { url: string }) => stored.get(nameOf(key)),
  put: async (key: string | { url: string }, answer: Response) =>
    void stored.set(nameOf(key), answer),
};
const network = vi.fn();
const opened = vi.fn();

/** Runs the worker with these pages open; the answer sends it an event. */
function started(pages: { url: string; focus: () => void }[] = []) {
  const listeners = new Map<string, (event: object) => void>();
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) =>
      listeners.set(type, listener),
    clients: { matchAll: async () => pages, openWindow: opened },
  };
  const caches = { open: async () => cache };
  const location = { origin: ORIGIN };
  runInNewContext(SOURCE, { self, caches, location, fetch: network, URL, Headers, Response });
  return (type: string, event: object) => listeners.get(type)?.(event);
}

/** What the worker answers to a request, or undefined if it leaves that to the browser. */
async function asks(path: string, mode = "cors"): Promise<Response | undefined> {
  let answer: Promise<Response> | undefined;
  const tasks: Promise<unknown>[] = [];
  started()("fetch", {
    request: { method: "GET", url: ORIGIN + path, mode },
    respondWith: (response: Promise<Response>) => (answer = response),
    waitUntil: (task: Promise<unknown>) => tasks.push(task),
  });
  const response = await answer;
  await Promise.all(tasks);
  return response;
}

async function tap(path: string, ...urls: string[]): Promise<string[]> {
  const focused: string[] = [];
  const pages = urls.map((url) => ({ url: ORIGIN + url, focus: () => focused.push(url) }));
  let task: Promise<unknown> | undefined;
  started(pages)("notificationclick", {
    notification: { data: path, close: () => undefined },
    waitUntil: (given: Promise<unknown>) => (task = given),
  });
  await task;
  return focused;
}

beforeEach(() => {
  stored.clear();
  opened.mockReset();
  network.mockReset().mockImplementation(async () => new Response("from the server"));
});

test("a tap on a call goes to the page of its table", async () => {
  expect(await tap("/t/abc", "/", "/t/abc")).toEqual(["/t/abc"]);
  expect(opened).not.toHaveBeenCalled();
});

test("a tap on a call leaves a screen, and the page of another match, as they are", async () => {
  expect(await tap("/t/abc", "/t/abc/screen", "/t/xyz")).toEqual([]);
  expect(opened).toHaveBeenCalledWith("/t/abc");
});

test("a page is kept for all pages, but nothing that the server tells is kept as one", async () => {
  await asks("/t/abc", "navigate");
  expect([...stored.keys()]).toEqual(["/"]);
  expect(await asks("/api/tables/abc/match", "navigate")).toBeUndefined();
  expect([...stored.keys()]).toEqual(["/"]);
});

test("games, lessons, pictures and words are kept, and what changes is not", async () => {
  const lasting = ["games", "games/x/lessons/first", "games/x/pictures", "words/fr"];
  for (const name of lasting) await asks(`/api/${name}`);
  expect([...stored.keys()]).toEqual(lasting.map((name) => `/api/${name}`));
  expect(await asks("/api/games/x/warmup?after=3")).toBeUndefined();
  expect(await asks("/api/me")).toBeUndefined();
});

test("what was kept is marked when the server cannot be reached", async () => {
  await asks("/api/games");
  network.mockRejectedValue(new TypeError("no network"));
  expect((await asks("/api/games"))?.headers.has("X-Kept")).toBe(true);
});

test.each(["/assets/a.js", "/api/games"])("a full storage does not harm %s", async (path) => {
  const put = vi.spyOn(cache, "put").mockRejectedValue(new Error("full"));
  expect(await (await asks(path))?.text()).toBe("from the server");
  put.mockRestore();
});
