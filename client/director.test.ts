import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Director, type Scene } from "./director";
import type { Fact, MatchInfo, Step } from "./messages";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const match = (number: number, viewer = 0): MatchInfo => ({
  viewer,
  view: { number },
  notes: {},
  legal: [number],
  prompt: "",
  awaited: [],
  over: false,
  scores: [],
  winners: [],
  verdict: "",
  decided: null,
  breakdown: [],
  advised: [],
  now: 0,
  alarm: -1,
  deadline: -1,
});
const fact = (kind: string): Fact => ({ kind, key: kind, values: {}, lasting: true, chapter: 1 });
const step = (kinds: string[], number?: number): Step => ({
  facts: kinds.map(fact),
  view: number === undefined ? null : { number },
  notes: number === undefined ? null : {},
  scores: number === undefined ? null : [],
});

/** The page draws what is told, then shows it for so long. */
function pass(ms: number): void {
  vi.advanceTimersToNextTimer();
  vi.advanceTimersByTime(ms);
}

function watched(): { director: Director; seen: string[]; scene: () => Scene } {
  const seen: string[] = [];
  let last: Scene | undefined;
  const director = new Director({
    show(scene) {
      last = scene;
      const facts = scene.facts.map(({ kind }) => kind).join("+");
      seen.push(`${String(scene.match.view["number"])}${facts && ` ${facts}`}`);
    },
    tell: (told) => seen.push(`tell ${told.kind}`),
    rest: () => seen.push("rest"),
  });
  return { director, seen, scene: () => last as Scene };
}

test("facts are shown one by one on the match before them", () => {
  const { director, seen } = watched();
  director.play(match(1), []);
  director.play(match(3), [step(["reveal", "award"], 2), step(["begin"])]);
  vi.runAllTimers();
  expect(seen).toEqual([
    "1",
    "rest",
    "tell reveal",
    "1 reveal",
    "tell award",
    "1 reveal+award",
    "2",
    "tell begin",
    "3 begin",
    "3",
    "rest",
  ]);
});

test("the moves that are legal now may be made while facts are shown", () => {
  const { director, scene } = watched();
  director.play(match(1), []);
  director.play(match(3), [step(["reveal"], 2)]);
  expect([scene().match.view["number"], scene().match.legal]).toEqual([1, [3]]);
});

test("to skip tells what is left and shows the end", () => {
  const { director, seen } = watched();
  director.play(match(1), []);
  director.play(match(3), [step(["reveal", "award"], 2), step(["begin"])]);
  seen.length = 0;
  director.skip();
  expect(seen).toEqual(["tell award", "tell begin", "3", "rest"]);
  vi.runAllTimers();
  expect(seen).toHaveLength(4);
});

test("what begins has to be shown before anyone acts on it", () => {
  const { director } = watched();
  director.play(match(1), []);
  expect(director.isBehind).toBe(false);
  director.play(match(2), [step(["reveal", "award"])]);
  expect(director.isBehind).toBe(false); // nothing has begun since
  director.play(match(3), [step(["begin", "begin"])]);
  expect(director.isBehind).toBe(true);
  pass(1200); // the reveal
  pass(1700); // the award
  expect([director.isBusy, director.isBehind]).toEqual([true, false]);
});

test("to skip shows what begins", () => {
  const { director, scene } = watched();
  director.play(match(1), []);
  director.play(match(3), [step(["reveal"], 2), step(["begin"])]);
  expect(director.isBehind).toBe(true);
  director.skip();
  expect([scene().match.view["number"], director.isBehind]).toEqual([3, false]);
});

test("what comes meanwhile is shown afterwards", () => {
  const { director, seen } = watched();
  director.play(match(1), []);
  director.play(match(2), [step(["reveal"])]);
  director.play(match(3), [step(["begin"])]);
  vi.runAllTimers();
  expect(seen.filter((text) => text.startsWith("tell"))).toEqual(["tell reveal", "tell begin"]);
  expect(seen.at(-2)).toBe("3");
});

test("another seat is shown at once", () => {
  const { director, seen } = watched();
  director.play(match(1), []);
  director.play(match(2, 1), [step(["reveal"])]);
  expect(seen).toEqual(["1", "rest", "tell reveal", "2", "rest"]);
});

test("the beginning of a match is shown like everything else", () => {
  const { director, seen } = watched();
  director.play(match(1), []);
  director.clear();
  director.play(match(3), [step(["begin"], 2), step(["begin"])]);
  vi.runAllTimers();
  expect(seen.slice(2)).toEqual([
    "tell begin",
    "2 begin",
    "2",
    "tell begin",
    "3 begin",
    "3",
    "rest",
  ]);
});

test("the first move may be made while the beginning is told, and skips it", () => {
  const { director, seen, scene } = watched();
  director.play(match(3), [step(["begin"], 2), step(["begin"])]);
  expect(scene().match.legal).toEqual([3]);
  director.skip();
  expect(seen).toEqual(["tell begin", "2 begin", "tell begin", "3", "rest"]);
});

test("a match is not over before its last reveal is shown", () => {
  const { director, scene } = watched();
  director.play(match(1), []);
  director.play({ ...match(3), over: true, verdict: "won" }, [
    step(["reveal"], 2),
    step(["award"]),
  ]);
  vi.advanceTimersToNextTimer();
  expect(scene().match.over).toBe(false);
  vi.runAllTimers();
  expect(scene().match.over).toBe(true);
});

test("what begins is shown without the points that are still to be told", () => {
  const { director, scene } = watched();
  director.play({ ...match(1), scores: [4] }, []);
  director.play({ ...match(2), scores: [14], over: true, winners: [0], verdict: "won" }, [
    step(["begin", "verdict", "score"]),
  ]);
  for (let told = 1; told <= 3; told++) {
    const { view, scores, over, winners } = scene().match;
    expect([view["number"], scores, over, winners]).toEqual([2, [4], false, []]);
    pass(scene().ms);
  }
  expect([scene().match.scores, scene().match.over]).toEqual([[14], true]);
});

test.each([
  ["calm", 1920],
  ["normal", 1200],
  ["brisk", 660],
] as const)("a %s reveal takes %d ms", (pace, duration) => {
  const { director } = watched();
  director.pace = pace;
  director.play(match(1), []);
  director.play(match(2), [step(["reveal"])]);
  pass(duration - 1);
  expect(director.isBusy).toBe(true);
  vi.advanceTimersByTime(1);
  expect(director.isBusy).toBe(false);
});

test("a long backlog is shown faster", () => {
  const { director } = watched();
  director.play(match(1), []);
  director.play(
    match(2),
    Array.from({ length: 40 }, () => step(["award"], 1)),
  );
  vi.advanceTimersByTime((40 * 1700) / 2);
  expect(director.isBusy).toBe(false);
});

test("a card that was turned is seen for two seconds at the calm pace, whatever waits", () => {
  const { director, scene } = watched();
  director.pace = "calm";
  director.play(match(0), []);
  const turns = Array.from({ length: 12 }, (_, number) => step(["turn", "place"], number + 1));
  director.play(match(13), turns);
  for (let number = 0; number < 12; number++) {
    expect(scene().match.view["number"]).toBe(number);
    vi.advanceTimersByTime(2000);
    expect(scene().match.view["number"]).toBe(number);
    expect(scene().facts.at(-1)?.kind).toBe("turn");
    while (scene().match.view["number"] === number) vi.advanceTimersToNextTimer();
  }
});

test.each([["calm"], ["normal"], ["brisk"]] as const)(
  "at the %s pace a board is told how long each fact is shown",
  (pace) => {
    const { director, scene } = watched();
    director.pace = pace;
    director.play(match(1), []);
    director.play(match(2), [step(["reveal", "award"])]);
    for (const kind of ["reveal", "award"]) {
      const { facts, ms } = scene();
      expect(facts.at(-1)?.kind).toBe(kind);
      pass(ms - 1);
      expect(scene().facts).toBe(facts);
      vi.advanceTimersByTime(1);
      expect(scene().facts).not.toBe(facts);
    }
    expect(scene().ms).toBe(0);
  },
);
