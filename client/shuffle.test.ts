import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Setting } from "./connection";
import type { Contribute, TableInfo } from "./messages";
import { Shuffle, witnessOf } from "./shuffle";

const gathering = (change: Partial<TableInfo> = {}, you = [0], me: string | null = "ann") =>
  ({
    table: {
      id: "t",
      match: 0,
      status: "gathering",
      commitment: "c1",
      contributors: [],
      replay: null,
      ...change,
    } as unknown as TableInfo,
    you,
    me,
  }) satisfies Setting;

let kept: Map<string, string>;
let sent: Contribute[];
let isTaken: boolean;
let shuffle: Shuffle;

const begin = () =>
  new Shuffle((command) => {
    sent.push(command);
    return Promise.resolve({ type: "reply", id: "1", done: isTaken });
  });
const settle = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  kept = new Map();
  sent = [];
  isTaken = true;
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  shuffle = begin();
});
afterEach(() => vi.unstubAllGlobals());

test("a seated player's page adds 16 random bytes, once for each commitment", () => {
  shuffle.see(gathering());
  shuffle.see(gathering());
  shuffle.see(gathering({ commitment: "c2" }));
  expect(sent.map(({ commitment }) => commitment)).toEqual(["c1", "c2"]);
  expect(sent.every(({ seed }) => /^[0-9a-f]{32}$/.test(seed))).toBe(true);
  expect(sent[0]?.seed).not.toBe(sent[1]?.seed);
});

test.each([
  ["a spectator", gathering({}, [])],
  ["a visitor without a name", gathering({}, [0], null)],
  ["a player who has given already", gathering({ contributors: ["bob", "ann"] })],
  ["a player of the same deal", gathering({ replay: [] })],
  ["a player in a match", gathering({ status: "playing", match: 1 })],
])("the page of %s adds nothing", (_, setting) => {
  shuffle.see(setting);
  expect(sent).toEqual([]);
});

test("the commitment before a match and our part of it are remembered", async () => {
  shuffle.see(gathering({ match: 4 }));
  await settle();
  expect(witnessOf("t", 5, "c1")).toEqual({ commitment: "c1", seed: sent[0]?.seed });
  expect(witnessOf("t", 4, "c2")).toEqual({ commitment: "", seed: "" });
  expect(witnessOf("other", 5, "c1")).toEqual({ commitment: "", seed: "" });
});

test("spectators remember the commitment too", () => {
  shuffle.see(gathering({}, [], null));
  expect(witnessOf("t", 1, "c1")).toEqual({ commitment: "c1", seed: "" });
});

test("what is shown once the match has begun does not replace what was shown before", () => {
  shuffle.see(gathering());
  shuffle.see(gathering({ status: "playing", match: 1, commitment: "forged" }));
  expect(witnessOf("t", 1, "c1").commitment).toBe("c1");
});

test("a seed that was refused is not remembered as ours", async () => {
  isTaken = false;
  shuffle.see(gathering());
  await settle();
  expect(witnessOf("t", 1, "c1").seed).toBe("");
});

test("a player who stands up and sits down again gives the same seed", async () => {
  shuffle.see(gathering());
  await settle();
  shuffle.see(gathering({}, []));
  shuffle.see(gathering());
  expect(sent[1]).toEqual(sent[0]);
});

test("without storage the page plays on, and remembers nothing", async () => {
  vi.stubGlobal("sessionStorage", undefined);
  shuffle.see(gathering());
  await settle();
  expect(sent).toHaveLength(1);
  expect(witnessOf("t", 1, "c1")).toEqual({ commitment: "", seed: "" });
});
