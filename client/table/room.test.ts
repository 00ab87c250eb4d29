import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Hooks, Log, Seen } from "../connection";
import type { Fact, MatchInfo, Person, Reply, Step } from "../messages";

const socket = vi.hoisted(() => ({ hooks: {} as unknown, request: vi.fn(), close: vi.fn() }));
const shown = vi.hoisted(() => vi.fn());
vi.mock("../connection", () => ({
  connectTo: (_: string, hooks: Hooks) => Object.assign(socket, { hooks }),
}));
vi.mock("../session.svelte", () => ({
  session: { me: { id: "ann" }, pace: "normal", words: undefined, game: () => undefined },
  t: (key: string) => key,
}));
vi.mock("../sound", () => ({ sound: vi.fn() }));
vi.mock("../haptics", () => ({ pulse: vi.fn() }));
vi.mock("../ui/toasts.svelte", () => ({ toasts: { show: shown } }));

const { Room } = await import("./room.svelte");
const hooks = () => socket.hooks as Hooks;

const stored: Record<string, string> = {};
beforeEach(() => {
  vi.useFakeTimers();
  for (const key of Object.keys(stored)) delete stored[key];
  const methods = {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => (stored[key] = value),
    removeItem: (key: string) => delete stored[key],
  };
  vi.stubGlobal(
    "localStorage",
    new Proxy(stored, { get: (_, name) => Reflect.get(methods, name) }),
  );
  const listening = { addEventListener: vi.fn(), removeEventListener: vi.fn() };
  vi.stubGlobal("document", { ...listening, visibilityState: "visible" });
  for (const [name, value] of Object.entries(listening)) vi.stubGlobal(name, value);
  socket.request.mockReset().mockResolvedValue({ type: "reply", id: "", done: true } as Reply);
  shown.mockReset();
});
afterEach(() => void vi.useRealTimers());

const person = (kept_by: string | null = null): Person => ({
  kind: "person",
  id: "ann",
  name: "Ann",
  avatar: 0,
  kept_by,
  stand_in: null,
  is_here: true,
  shares: false,
  is_replaceable: false,
  votes: [],
});
const NO_LOG: Log = { lines: [], chat: [], news: [], said: [] };
const fact = (key: string): Fact => ({ kind: "score", key, values: {}, lasting: true, chapter: 1 });
const step = (...keys: string[]): Step => ({
  facts: keys.map(fact),
  view: null,
  notes: null,
  scores: null,
});

function seen(number: number, over: boolean, more: Partial<Seen> = {}): Seen {
  const match = { viewer: 0, view: {}, legal: [], awaited: [], over, scores: [], winners: [] };
  return {
    table: { id: "t", game: "x", match: number, status: "playing", seats: [person()] },
    me: "ann",
    you: [0],
    steps: [],
    match: match as unknown as MatchInfo,
    ...more,
  } as Seen;
}
const seated = (...seats: Person[]): Partial<Seen> => ({
  table: { ...seen(1, false).table, seats },
});

test("the history of a match whose end is still told is not that of the next one", () => {
  const room = new Room("t");
  hooks().onUpdate(seen(1, false), NO_LOG);
  hooks().onUpdate(seen(1, true, { steps: [step("a", "b")], history: [fact("a")] }), NO_LOG);
  hooks().onUpdate(seen(2, false), NO_LOG);
  expect(room.history).toEqual([]);
  room.close();
});

test("what was last seen of a table is kept for its one player", () => {
  const room = new Room("t");
  hooks().onUpdate(seen(1, false), NO_LOG);
  room.close();
  expect(Object.keys(stored)).toEqual(["ludotheque.table.t"]);
});

test("people who share a device leave nothing of a table, even if a bot plays for one", () => {
  stored["ludotheque.table.t"] = "what the first of them saw";
  const room = new Room("t");
  hooks().onUpdate(seen(1, false, seated(person(), person("regular"))), NO_LOG);
  room.close();
  expect(Object.keys(stored)).toEqual([]);
});

test("a table that is only recalled takes no request, and says why", async () => {
  const before = new Room("t");
  hooks().onUpdate(seen(1, true), NO_LOG);
  before.close();
  const room = new Room("t");
  hooks().onStatus("lost", "");
  expect(room.recalled).toBeDefined();
  expect((await room.request({ do: "again", same_deal: false })).done).toBe(false);
  expect(socket.request).not.toHaveBeenCalled();
  expect(shown).toHaveBeenCalledWith("offline.text", true);
  hooks().onUpdate(seen(1, true), NO_LOG);
  expect((await room.request({ do: "again", same_deal: false })).done).toBe(true);
  room.close();
});

test("what was played while the connection was lost is explained by that, and not by the rules", async () => {
  const room = new Room("t");
  hooks().onUpdate(seen(1, false), NO_LOG);
  const refused = { type: "reply", id: "", done: false, reason: "late", error: "late" } as Reply;
  let answer: (reply: Reply) => void = () => undefined;
  socket.request.mockImplementation(() => new Promise((resolve) => (answer = resolve)));

  hooks().onStatus("lost", "");
  const during = room.play(1);
  hooks().onStatus("open", "");
  answer(refused);
  await during;
  expect(shown.mock.calls).toEqual([["table.not_arrived", true]]);

  const before = room.play(2);
  hooks().onStatus("lost", "");
  hooks().onStatus("open", "");
  answer(refused);
  await before;
  expect(shown.mock.calls.at(-1)).toEqual(["table.not_arrived", true]);

  const after = room.play(3);
  answer(refused);
  await after;
  expect(shown.mock.calls.at(-1)).toEqual(["late", true]);
  room.close();
});
