import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection, type Log, type Seen, type Socket, type Status } from "./connection";
import type { ChatLine, Line, Update } from "./messages";

class FakeSocket implements Socket {
  sent: Record<string, unknown>[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close() {
    this.closed = true;
  }
  say(message: object) {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

let sockets: FakeSocket[];
let statuses: Status[];
let reasons: string[];
let doors: string[];
let updates: { update: Seen; log: Log }[];
let connection: Connection;

const last = () => sockets.at(-1) as FakeSocket;
const requests = (socket: FakeSocket) => socket.sent.filter((m) => m["type"] === "request");
const line = (seat: number): Line => ({ seat, move: 1, at: null, key: "bid", values: {} });
const said = (text: string): ChatLine => ({ guest: "a", name: "Ada", avatar: 1, text, phrase: "" });

function update(change: Partial<Update> = {}, match = 1, viewer = 0): object {
  return {
    type: "update",
    version: 1,
    you: [0, 1],
    me: "a",
    table: { match },
    match: match ? { viewer } : null,
    fresh: false,
    lines: [],
    chat: [],
    said: 0,
    ...change,
  };
}

function open(message = update({ fresh: true })) {
  last().onopen?.();
  last().say(message);
}

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  statuses = [];
  reasons = [];
  doors = [];
  updates = [];
  connection = new Connection(
    () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    {
      onStatus: (status, reason) => {
        statuses.push(status);
        reasons.push(reason);
      },
      onUpdate: (u, log) => updates.push({ update: u, log }),
      onDoor: ({ reason }) => doors.push(reason),
    },
  );
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

test("it says hello first, and is open when the table has answered", () => {
  last().onopen?.();
  expect(last().sent).toEqual([{ type: "hello", match: 0, lines: 0, chat: 0, viewer: null }]);
  expect(statuses).toEqual([]);
  last().say(update());
  expect(statuses).toEqual(["open"]);
});

test("a lost connection is told at once and comes back by itself", () => {
  open();
  last().onclose?.();
  expect(statuses).toEqual(["open", "lost"]);
  vi.advanceTimersByTime(1000);
  expect(sockets).toHaveLength(2);
  open();
  expect(statuses).toEqual(["open", "lost", "open"]);
});

test("before the door it waits, and asks for what was wanted once it is let in", () => {
  last().onopen?.();
  last().say({ type: "at_door", reason: "asked", game: "heap", has_host: true });
  expect(statuses).toEqual(["waiting"]);
  expect(doors).toEqual(["asked"]);
  void connection.request({ do: "sit" });
  expect(requests(last())).toEqual([]);
  last().say(update({ fresh: true }));
  expect(statuses).toEqual(["waiting", "open"]);
  expect(requests(last())).toHaveLength(1);
  last().say({ type: "at_door", reason: "removed", game: "heap", has_host: true });
  expect([statuses.at(-1), doors.at(-1)]).toEqual(["waiting", "removed"]);
});

test("coming back, it says what it has had", () => {
  open(update({ fresh: true, lines: [line(0), line(1)], chat: [said("hi")], said: 7 }, 3, 1));
  last().onclose?.();
  connection.wake();
  last().onopen?.();
  expect(last().sent[0]).toEqual({ type: "hello", match: 3, lines: 2, chat: 7, viewer: 1 });
});

test("it asks for the board as text, also when it comes back, and for the whole log with it", () => {
  open(update({ fresh: true, lines: [line(0), line(1)] }, 3, 1));
  connection.askForPlain("fr");
  connection.askForPlain("fr");
  const hello = { type: "hello", lines: 2, chat: 0, viewer: 1, plain: "fr" };
  expect(last().sent.slice(1)).toEqual([{ ...hello, match: 0 }]);
  last().say(update({ fresh: true, lines: [line(0), line(1), line(2)] }, 3, 1));
  expect(updates.at(-1)?.log.lines).toHaveLength(3);
  expect(updates.at(-1)?.log.news).toEqual([line(2)]);
  last().onclose?.();
  connection.wake();
  last().onopen?.();
  expect(last().sent).toEqual([{ ...hello, lines: 3, match: 3 }]);
});

test("without a table an update changes neither it nor whose seats are ours", () => {
  open(update({ fresh: true }, 3));
  last().say(update({ table: null, you: [], me: null }));
  last().say(update({ you: [1], me: "b" }, 4));
  expect(updates.map(({ update: { table, you, me } }) => [table.match, you, me])).toEqual([
    [3, [0, 1], "a"],
    [3, [0, 1], "a"],
    [4, [1], "b"],
  ]);
});

test("a visitor without a name is let in, and is nobody", () => {
  open(update({ fresh: true, you: [], me: null }));
  expect(updates[0]?.update).toMatchObject({ you: [], me: null });
});

test("of a log that comes whole once more only the end is news", () => {
  open(update({ fresh: true, lines: [line(0), line(1)] }));
  last().say(update({ fresh: true, lines: [line(0), line(1), line(0)] }));
  expect(updates.at(-1)?.log.news).toEqual([line(0)]);
  expect(updates.at(-1)?.log.lines).toHaveLength(3);
});

test("pauses between attempts grow, up to a limit", () => {
  const pauses: number[] = [];
  for (let attempt = 0; attempt < 12; attempt++) {
    const before = sockets.length;
    last().onclose?.();
    let waited = 0;
    while (sockets.length === before) {
      vi.advanceTimersByTime(100);
      waited += 100;
    }
    pauses.push(waited);
  }
  expect(pauses[0]).toBeLessThanOrEqual(600);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(10_100);
  expect(pauses.at(-1)).toBeGreaterThanOrEqual(6000);
});

test("waking up tries at once, whatever the pause", () => {
  open();
  for (let attempt = 0; attempt < 6; attempt++) {
    last().onclose?.();
    vi.advanceTimersByTime(20_000);
  }
  last().onclose?.();
  const before = sockets.length;
  connection.wake();
  expect(sockets).toHaveLength(before + 1);
});

test("a socket that is open in name only is found out when the page wakes", () => {
  open();
  connection.wake();
  expect(last().sent.at(-1)).toEqual({ type: "ping" });
  vi.advanceTimersByTime(2600);
  expect(statuses.at(-1)).toBe("lost");
  vi.advanceTimersByTime(1000);
  open();
  expect(statuses.at(-1)).toBe("open");
});

test("a quiet server is asked for a sign of life, and given up without one", () => {
  open();
  vi.advanceTimersByTime(20_000);
  expect(last().sent.at(-1)).toEqual({ type: "ping" });
  last().say({ type: "pong" });
  vi.advanceTimersByTime(19_000);
  expect(statuses.at(-1)).toBe("open");
  vi.advanceTimersByTime(7_000);
  expect(statuses.at(-1)).toBe("lost");
});

test("a request is answered by the reply with its id", async () => {
  open();
  const reply = connection.request({ do: "start" });
  const { id } = requests(last())[0] as { id: string };
  last().say({ type: "reply", id, done: true, error: "", reason: "" });
  expect(await reply).toMatchObject({ done: true });
});

test("a request without an answer is sent again with the same id, an answered one is not", async () => {
  open();
  const first = connection.request({ do: "start" });
  const [one] = requests(last()) as { id: string }[];
  last().say({ type: "reply", id: one?.id, done: true, error: "", reason: "" });
  await first;
  void connection.request({ do: "play", move: 4, seat: 0 });
  const [, sent] = requests(last());
  last().onclose?.();
  connection.wake();
  open();
  expect(requests(last())).toEqual([sent]);
});

test("a request made while the connection is lost waits for it", () => {
  open();
  last().onclose?.();
  void connection.request({ do: "say", text: "still here" });
  connection.wake();
  last().onopen?.();
  expect(requests(last())).toHaveLength(0);
  last().say(update());
  expect(requests(last())).toHaveLength(1);
});

test("lines are added to those before, and replaced by fresh ones", () => {
  open(update({ fresh: true, lines: [line(0)] }));
  last().say(update({ lines: [line(1)] }));
  expect(updates[1]?.log.lines).toEqual([line(0), line(1)]);
  last().say(update({ fresh: true, lines: [line(1)] }));
  expect(updates[2]?.log.lines).toEqual([line(1)]);
});

test("only what comes while we look on is news", () => {
  open(update({ fresh: true, lines: [line(0)], chat: [said("before")] }));
  expect(updates[0]?.log).toMatchObject({ news: [], said: [] });
  last().say(update({ lines: [line(1)], chat: [said("now")] }));
  expect(updates[1]?.log).toMatchObject({ news: [line(1)], said: [said("now")] });
});

test("the first lines of a new match are news", () => {
  open(update({ fresh: true }, 0));
  last().say(update({ fresh: true, lines: [line(-1)] }, 1));
  expect(updates[1]?.log.news).toEqual([line(-1)]);
});

test("looking from another seat asks for all lines, and what was sent before is not shown", () => {
  open(update({ fresh: true, lines: [line(0)] }));
  connection.look(1);
  expect(last().sent.at(-1)).toMatchObject({ type: "hello", match: 0, lines: 0, viewer: 1 });
  last().say(update({ lines: [line(0)] }, 1, 0));
  expect(updates).toHaveLength(1);
  last().say(update({ fresh: true, lines: [line(0), line(0)] }, 1, 1));
  expect(updates[1]?.log).toMatchObject({ lines: [line(0), line(0)], news: [] });
});

test("a table that does not exist is not asked for again", () => {
  last().onopen?.();
  last().say({ type: "gone", error: "there is no table" });
  expect(statuses).toEqual(["gone"]);
  vi.advanceTimersByTime(60_000);
  expect(sockets).toHaveLength(1);
});

test.each(["not_found", "broken"])("a table that is gone for good is told so: %s", (reason) => {
  open();
  last().say({ type: "gone", error: "the table cannot be read", reason });
  expect([statuses.at(-1), reasons.at(-1)]).toEqual(["gone", reason]);
  vi.advanceTimersByTime(60_000);
  expect(sockets).toHaveLength(1);
});

test("sent away in the middle, it comes back later", () => {
  open();
  last().say({ type: "gone", error: "too many messages" });
  expect(statuses.at(-1)).toBe("lost");
  vi.advanceTimersByTime(10_000);
  expect(sockets.length).toBeGreaterThan(1);
});

test("after reopening, requests wait until the new socket is let in", () => {
  open(update({ fresh: true, lines: [line(0)], chat: [said("hi")] }));
  connection.reopen();
  void connection.request({ do: "sit", seat: null, name: "" });
  expect(last().sent).toEqual([]);
  last().onopen?.();
  expect(last().sent).toEqual([{ type: "hello", match: 0, lines: 0, chat: 0, viewer: null }]);
  last().say(update({ fresh: true, lines: [line(0)], chat: [said("hi")] }));
  expect(requests(last())).toHaveLength(1);
  expect(updates[1]?.log).toMatchObject({ chat: [said("hi")], said: [], news: [] });
});

test("a screen says that it is one, whenever it says hello", () => {
  const socket = new FakeSocket();
  const hooks = { onStatus: () => undefined, onUpdate: () => undefined };
  const screen = new Connection(() => socket, hooks, "key");
  socket.onopen?.();
  screen.close();
  const hello = { type: "hello", match: 0, lines: 0, chat: 0, viewer: null };
  expect(socket.sent).toEqual([{ ...hello, screen: true, key: "key" }]);
});

test("told to come again, it plays on until the next socket is open, and loses nothing", () => {
  open(update({ fresh: true, lines: [line(0)] }));
  const before = last();
  before.say({ type: "come_again" });
  expect(sockets).toHaveLength(2);
  void connection.request({ do: "leave" });
  expect(requests(before)).toHaveLength(1);
  before.say(update({ lines: [line(1)] }));
  expect(before.closed).toBe(false);

  last().onopen?.();
  expect(before.closed).toBe(true);
  expect(last().sent).toEqual([{ type: "hello", match: 1, lines: 2, chat: 0, viewer: 0 }]);
  last().say(update({ lines: [line(0)] }));
  expect(requests(last())).toEqual(requests(before)); // it may not have been heard
  expect(updates.at(-1)?.log.lines).toEqual([line(0), line(1), line(0)]);
  expect(statuses).toEqual(["open"]);
});

test("told to come again in vain, it stays, and comes back as ever when it is hung up on", () => {
  open();
  const before = last();
  before.say({ type: "come_again" });
  const next = last();
  next.onclose?.();
  expect(before.closed).toBe(false);
  expect(statuses).toEqual(["open"]);
  before.onclose?.();
  expect(next.closed).toBe(true);
  vi.advanceTimersByTime(1000);
  expect(sockets).toHaveLength(3);
  open();
  expect(statuses).toEqual(["open", "lost", "open"]);
});

test("closed while it moves to another server, it leaves no socket behind", () => {
  open();
  last().say({ type: "come_again" });
  connection.close();
  expect(sockets.map((socket) => socket.closed)).toEqual([true, true]);
});

test("told that the table is out of reach, it says so until the next update", () => {
  open();
  last().say({ type: "away" });
  expect(statuses).toEqual(["open", "lost"]);
  void connection.request({ do: "leave" });
  expect(requests(last())).toEqual([]);
  last().say(update());
  expect(statuses).toEqual(["open", "lost", "open"]);
  expect(requests(last())).toHaveLength(1);
  expect(sockets).toHaveLength(1);
});
