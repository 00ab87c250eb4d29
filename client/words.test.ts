import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fill, GameWords, isolated, lettersIn, PageWords, sentences } from "./words";
import plurals from "../tests/plurals.json";

const WORDS = {
  name: "Vulture",
  rules: "\nLook.\n",
  moves: { bid: "play the {value}" },
  outcomes: { vulture: "a vulture worth {points}" },
  names: { rose: "the rose" },
  options: { ties: { label: "Ties" } },
  board: { taker: "{player} took {what}" },
};
const line = { move: 1, at: null };

test("blanks are filled, unknown ones stay, double braces are braces", () => {
  expect(fill("{a} and {b}, {{c}}", "en", { a: 1 })).toBe("1 and {b}, {c}");
});

test("a name that is read from right to left does not turn round what stands beside it", () => {
  expect(fill("{a}: {b}", "en", { a: "דנה", b: 3 })).toBe("\u2068דנה\u2069: 3");
  expect(fill("{a}: {b}", "en", { a: "ߊߦߊ", b: 3 })).toBe("\u2068ߊߦߊ\u2069: 3");
  expect(fill("{a}: {b}", "en", { a: "Ann", b: 3 })).toBe("Ann: 3");
});

test("names that were isolated before they were listed do not turn round one another", () => {
  const names = ["דנה", "Ann"].map(isolated);
  expect(fill("{all} tie", "en", { all: `${names[0]} 3, ${names[1]} 3` })).toBe(
    "\u2068דנה\u2069 3, Ann 3 tie",
  );
});

test("values that name things of the sheet are put into words", () => {
  const words = new GameWords("x", WORDS, "en");
  expect(words.board("taker", { player: "Ada", what: "rose" })).toBe("Ada took the rose");
});

test("a line of the log says what a move or chance did, and nothing if it is hidden", () => {
  const words = new GameWords("x", WORDS, "en");
  expect(words.line({ ...line, seat: 0, key: "bid", values: { value: 7 } })).toBe("play the 7");
  expect(words.line({ ...line, seat: -1, key: "vulture", values: { points: "-2" } })).toBe(
    "a vulture worth -2",
  );
  expect(words.line({ ...line, seat: 1, key: "", values: {} })).toBe("");
});

test("a verdict is read by itself, everything else as it adds up", () => {
  const story = { called: "{seat} calls", asked: "is it right?", right: "{seat} is right" };
  const words = new GameWords("x", { ...WORDS, story }, "en");
  const told = (kind: string, key: string) => {
    return { kind, key, values: { seat: 0 }, lasting: true, chapter: 1 };
  };
  const facts = [told("call", "called"), told("begin", "asked"), told("verdict", "right")];
  expect(words.story(facts.slice(0, 2), ["Ada"])).toBe("Ada calls. Is it right?");
  expect(words.story(facts, ["Ada"])).toBe("Ada is right.");
});

test("sections may be nested, and a missing word shows its key", () => {
  const words = new GameWords("x", WORDS, "en");
  expect(words.text("options.ties", "label")).toBe("Ties");
  expect(words.has("options.ties", "help")).toBe(false);
  expect(words.text("board", "nothing")).toBe("board.nothing");
});

test("the page's words are under page, the shared ones under a dot", () => {
  const page = { over: "Over", page: { lobby: { play: "Play" } } };
  const words = new PageWords({ page, games: {} }, "en");
  expect(words.text("lobby.play")).toBe("Play");
  expect(words.text(".over")).toBe("Over");
});

const POINTS = "{score, plural, one {# point} other {# points}}";

test.each([
  ["en", 0, "0 points"],
  ["en", 1, "1 point"],
  ["en", -1, "−1 point"],
  ["en", -12, "−12 points"],
  ["en", 1.5, "1.5 points"],
  ["fr", 0, "0 point"],
  ["fr", 1.5, "1,5 point"],
  ["fr", 1_000_000, "1000000 points"],
] as const)("in %s the plural form for %d is that of %s", (language, score, text) => {
  expect(fill(POINTS, language, { score })).toBe(text);
});

const EVERY_FORM =
  "{n, plural, zero {zero} one {one} two {two} few {few} many {many} other {other}}";

test.each(["fr", "en", "de"] as const)("the plural forms of %s are those of CLDR", (language) => {
  const { ranges, others } = plurals[language];
  const numbers = ranges.flatMap(([first, last, category]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, step) => [
      Number(first) + step,
      category,
    ]),
  );
  const table = [...numbers, ...others];
  expect(table.length).toBeGreaterThan(1000);
  expect(table.map(([n]) => [n, fill(EVERY_FORM, language, { n })])).toEqual(table);
});

test("sentences end with one mark", () => {
  expect(sentences(["Layer 2 is complete", "", "A perfect pallet!"])).toBe(
    "Layer 2 is complete. A perfect pallet!",
  );
  expect(sentences(["Ada: “Ubongo!”", "Ada : « Ubongo ! »", "Ada: „Ubongo!“"])).toBe(
    "Ada: “Ubongo!” Ada : « Ubongo ! » Ada: „Ubongo!“",
  );
});

/** The keys under [en.page] in the file that the server reads. */
function keysOfThePage(): Set<string> {
  const path = fileURLToPath(new URL("../src/ludotheque/words.toml", import.meta.url));
  const keys = new Set<string>();
  let section = "";
  for (const row of readFileSync(path, "utf8").split("\n")) {
    section = /^\[(.+)\]$/.exec(row)?.[1] ?? section;
    const key = /^(\w+) = /.exec(row)?.[1];
    const under = /^en\.page\.?(.*)$/.exec(section);
    if (key && under) keys.add(under[1] ? `${under[1]}.${key}` : key);
  }
  return keys;
}

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(svelte|ts)$/.test(name) && !name.endsWith(".test.ts"))
    .map((name) => readFileSync(join(folder, name), "utf8"));
}

test("every word that the page uses is there", () => {
  const keys = keysOfThePage();
  const here = fileURLToPath(new URL(".", import.meta.url));
  const used = sources(here).flatMap((text) =>
    [...text.matchAll(/\bt\(\s*"([a-z_]+(?:\.[a-z_]+)*)"/g)].map((match) => match[1] ?? ""),
  );
  expect(used.length).toBeGreaterThan(80);
  expect(used.filter((key) => !keys.has(key))).toEqual([]);
});

test("every finding of a shuffle's check has words", () => {
  const findings = ["bound", "published", "contributed", "drawn"].flatMap((check) =>
    ["good", "bad"].map((outcome) => `${check}_${outcome}`),
  );
  const unknown = ["published", "replayed", "contributed"].map((check) => `${check}_unknown`);
  const keys = keysOfThePage();
  expect([...findings, ...unknown].filter((key) => !keys.has(`verify.${key}`))).toEqual([]);
});

test("a story that is too long for the prompt drops its oldest sentences", () => {
  const words = new GameWords("x", { story: { first: "{text}", last: "Ada wins" } }, "en");
  const fact = (key: string, text = "") => ({
    kind: "award",
    key,
    values: { text },
    lasting: true,
    chapter: 1,
  });
  expect(words.story([fact("first", "Short"), fact("last")], [])).toBe("Short. Ada wins.");
  expect(words.story([fact("first", "x".repeat(105)), fact("last")], [])).toBe("Ada wins.");
  expect(words.story([fact("first", "x".repeat(200))], [])).toBe(`X${"x".repeat(199)}.`);
  const facts = [fact("first", "x".repeat(80)), fact("last")];
  expect([1200, 390].map((width) => words.story(facts, [], lettersIn(width)))).toEqual([
    `X${"x".repeat(79)}. Ada wins.`,
    "Ada wins.",
  ]);
});
