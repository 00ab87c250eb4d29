import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { hex, unhex } from "./hex";
import { hmac } from "./hmac";
import { sha256 } from "./sha256";
import type { Proof } from "./messages";
import { caseOf, commitmentOf, keyOf, verify, type Draw } from "./verify";

// Computed with hmac and hashlib of Python.
const SERVER_SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const OURS = "000102030405060708090a0b0c0d0e0f";
const CLIENT_SEEDS = ["aa".repeat(16), OURS];
const COMMITMENT = "d67f7d564618f42ffe26b0f0e3e169793d11ed9cb2031bbf8f5f5d43060b68b3";
const KEY = "3f543443432ead31e0f028d6289a556e2bdffcc020b218111b1b6e2f38ffb8db";
const KEY_WITHOUT_CLIENTS = "d38b42096d80f45f826b44a9d5607de72496a415d3f4a1a8c88e3bb9da8dc1cb";
const DRAWS: Draw[] = [
  [0, 1, 0],
  [0, 6, 5],
  [1, 36, 5],
  [2, 44, 17],
  [7, 2, 1],
  [300, 52, 15],
  [2 ** 32 + 5, 1000, 172],
  [2 ** 40, 15, 10],
];
const SECOND_ATTEMPT: Draw = [12311, 9005000768225318, 970842059447515];

const proof: Proof = {
  commitment: COMMITMENT,
  server_seed: SERVER_SEED,
  client_seeds: CLIENT_SEEDS,
  is_replay: false,
  draws: DRAWS,
};
const witness = { commitment: COMMITMENT, seed: OURS };

const bytes = (text: string) => new TextEncoder().encode(text);
const told = async (change: Partial<Proof>, seen = witness) =>
  (await verify({ ...proof, ...change }, seen)).map(({ check, outcome }) => `${check} ${outcome}`);

test.each([0, 1, 54, 55, 56, 63, 64, 65, 200])("our own SHA-256 of %i bytes is right", (length) => {
  const message = Uint8Array.from({ length }, (_, place) => (place * 7) & 255);
  expect(hex(sha256(message))).toBe(createHash("sha256").update(message).digest("hex"));
});

test.each([
  [
    bytes("Jefe"),
    "what do ya want for nothing?",
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  ],
  [
    new Uint8Array(131).fill(0xaa),
    "Test Using Larger Than Block-Size Key - Hash Key First",
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
  ],
])("our own HMAC agrees with RFC 4231", (key, message, expected) => {
  expect(hex(hmac(key, bytes(message)))).toBe(expected);
});

test("what is not hexadecimal is named", () => {
  expect(unhex("00ff")).toEqual(Uint8Array.of(0, 255));
  expect(() => unhex("0g")).toThrow('"0g" is not an even number of hexadecimal digits');
  expect(() => unhex("0")).toThrow("hexadecimal");
});

test("the server seed gives the commitment, and with the client seeds the key", () => {
  expect(commitmentOf(SERVER_SEED)).toBe(COMMITMENT);
  expect(hex(keyOf(proof))).toBe(KEY);
  expect(hex(keyOf({ ...proof, client_seeds: [] }))).toBe(KEY_WITHOUT_CLIENTS);
});

test.each([...DRAWS, SECOND_ATTEMPT])("draw %i of %i cases is %i", (name, cases, drawn) => {
  expect(caseOf(unhex(KEY), name, cases)).toBe(drawn);
});

test("a fair match is found fair", async () => {
  expect(await verify(proof, witness)).toEqual([
    { check: "bound", outcome: "good" },
    { check: "published", outcome: "good" },
    { check: "contributed", outcome: "good" },
    { check: "drawn", outcome: "good" },
  ]);
});

test("a page that came late and gave nothing says so, and checks the rest", async () => {
  expect(await told({}, { commitment: "", seed: "" })).toEqual([
    "bound good",
    "published unknown",
    "contributed unknown",
    "drawn good",
  ]);
});

test("a replay is bound by the match it repeats, not by what was shown before this one", async () => {
  expect(await told({ is_replay: true }, { commitment: "", seed: "" })).toEqual([
    "bound good",
    "replayed unknown",
    "contributed unknown",
    "drawn good",
  ]);
});

test("another server seed than the one the server was bound to is found out", async () => {
  expect(await told({ server_seed: "ff".repeat(32) })).toEqual(["bound bad"]);
});

test("a commitment that was changed after the match began is found out", async () => {
  const server_seed = "ff".repeat(32);
  const changed = { server_seed, commitment: commitmentOf(server_seed) };
  expect(await told(changed)).toEqual(["bound good", "published bad"]);
});

test("a shuffle without our part is found out", async () => {
  const without = { client_seeds: ["aa".repeat(16)] };
  expect(await told(without)).toEqual(["bound good", "published good", "contributed bad"]);
});

test("the first draw that does not follow is named", async () => {
  const wrong: Draw = [2, 44, 18];
  const findings = await verify({ ...proof, draws: DRAWS.with(3, wrong).with(5, wrong) }, witness);
  expect(findings.at(-1)).toEqual({
    check: "drawn",
    outcome: "bad",
    values: { number: 4, expected: 17, drawn: 18 },
  });
});

test("a long run leaves the page time to breathe", async () => {
  let breaths = 0;
  const ticking = setInterval(() => breaths++, 0);
  const draws = Array.from({ length: 2000 }, (): Draw => [7, 2, 1]);
  await verify({ ...proof, draws }, witness);
  clearInterval(ticking);
  expect(breaths).toBeGreaterThan(3);
});
