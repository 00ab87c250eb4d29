import { expect, test } from "vitest";
import type { Fact } from "../messages";
import { Emotes } from "./emotes";

const fact = (kind: string, values: Record<string, unknown>, chapter = 0): Fact => ({
  kind,
  key: kind,
  values,
  lasting: false,
  chapter,
});
const LEVELS = ["", "novice", "master"];

/** What is shown of this many rounds in each of which something good happens to every seat. */
function rounds(count: number, match = "table/1") {
  const emotes = new Emotes(match);
  return Array.from({ length: count }, (_, round) =>
    [0, 1, 2].map((seat) => emotes.hear(fact("award", { seat, round }, round + 1), LEVELS)),
  );
}

test("there is at most one reaction a round", () => {
  for (const round of rounds(200)) {
    expect(round.filter((emote) => emote !== undefined).length).toBeLessThanOrEqual(1);
  }
});

test("people are never made to react, and lively bots react more than calm ones", () => {
  const seats = rounds(200).flatMap((round) => round.flatMap((emote) => emote?.seat ?? []));
  const counts = [0, 1, 2].map((seat) => seats.filter((each) => each === seat).length);
  expect(counts[0]).toBe(0);
  expect(counts[1]).toBeGreaterThan(counts[2] ?? 0);
  expect(counts[2]).toBeGreaterThan(0);
});

test("every page that is told the same shows the same, and another match is another", () => {
  expect(rounds(50)).toEqual(rounds(50));
  expect(rounds(50)).not.toEqual(rounds(50, "table/2"));
});

test("a character shows its own faces", () => {
  const all = rounds(200).flatMap((round) => round.flatMap((emote) => emote ?? []));
  const faces = (seat: number) => new Set(all.filter((e) => e.seat === seat).map((e) => e.face));
  expect(faces(1)).toEqual(new Set(["🎉"]));
  expect(faces(2)).toEqual(new Set(["👏"]));
});

test("where rounds are not counted, a round is over when everyone has had a turn", () => {
  const emotes = new Emotes("table/1");
  const shown: number[] = [];
  for (let turn = 0; turn < 300; turn++) {
    emotes.hear(fact("turn", { seat: turn % 3 }), LEVELS);
    if (emotes.hear(fact("gain", { seat: 1, turn }), LEVELS)) shown.push(turn);
  }
  expect(shown.length).toBeGreaterThan(50);
  const lapses = shown
    .slice(1)
    .map((turn, place) => Math.floor(turn / 3) - Math.floor((shown[place] ?? 0) / 3));
  expect(Math.min(...lapses)).toBe(1);
});

test("nothing is said about what concerns nobody", () => {
  const emotes = new Emotes("table/1");
  expect(emotes.hear(fact("gain", { layer: 1 }), LEVELS)).toBeUndefined();
  expect(emotes.hear(fact("reveal", { seat: 1 }), LEVELS)).toBeUndefined();
});

/** The faces that a novice shows of many such facts, each in a round of its own. */
function facesFor(told: (round: number) => Fact): Set<string> {
  const emotes = new Emotes("table/1");
  const found = Array.from({ length: 200 }, (_, round) => emotes.hear(told(round + 1), LEVELS));
  return new Set(found.flatMap((emote) => (emote?.seat === 1 ? [emote.face] : [])));
}

test("a call makes nobody glad before it is judged, and a wrong one never", () => {
  const verdict = (key: string) => (round: number) => ({
    ...fact("verdict", { seat: 1 }, round),
    key,
  });
  expect(facesFor((round) => fact("call", { seat: 1 }, round))).toEqual(new Set());
  expect(facesFor(verdict("right"))).toEqual(new Set(["🎉"]));
  expect(facesFor(verdict("wrong"))).toEqual(new Set(["😢"]));
});

test("what a team has achieved pleases its bots", () => {
  expect(facesFor((round) => fact("gain", { layer: round }, round))).toEqual(new Set(["🎉"]));
});
