/** Words of the page and of the games, as the server gives them for one language. */
import { CHANCE, type Fact, type Line, type Saying } from "./messages";

export type Values = Record<string, unknown>;
export type Table = { [key: string]: string | Table };
/** A part of a sentence: a text or the name of a thing, or a key of [story] with its values. */
type Part = string | [key: string, values: Values];

/** Kinds of facts that are read by themselves: what was told before makes room for them. */
const ALONE = new Set(["verdict", "score"]);

const BLANK = /\{\{|\}\}|\{(\w+)(?:, plural,((?: \w+ \{[^{}]*\})+))?\}/g;
const FORM = /(\w+) \{([^{}]*)\}/g;

/**
 * Fill the blanks of a text: "{player} wins" with {player: "Ada"}. Where a number meets a noun, the
 * blank holds the noun's forms: "{score, plural, one {# point} other {# points}}".
 */
export function fill(text: string, language: string, values: Values = {}): string {
  return text.replace(BLANK, (blank: string, name?: string, forms?: string) => {
    if (name === undefined) return blank.charAt(0);
    if (!(name in values)) return blank;
    if (forms !== undefined) return counted(forms, Number(values[name]), language);
    return printed(values[name], language);
  });
}

function counted(forms: string, number: number, language: string): string {
  const texts = new Map([...forms.matchAll(FORM)].map(([, category, text]) => [category, text]));
  const text = texts.get(new Intl.PluralRules(language).select(number)) ?? texts.get("other") ?? "";
  return text.replaceAll("#", printed(number, language));
}

// Where Unicode keeps the scripts that are written from right to left.
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A name that is read from right to left must not turn round the words and figures beside it. Those
 * of several people are isolated each by itself, before they are put into one text.
 */
export const isolated = (text: string): string =>
  RIGHT_TO_LEFT.test(text) && !text.includes("\u2068") ? `\u2068${text}\u2069` : text;

/** A number with a true minus and the language's decimal mark; any other value as it is. */
function printed(value: unknown, language: string): string {
  if (typeof value !== "number") return isolated(String(value));
  return language === "en" ? figure(value) : figure(value).replace(".", ",");
}

/** The text at a path like "page.lobby.title", or undefined. */
function find(table: Table, path: string[]): string | Table | undefined {
  let here: string | Table | undefined = table;
  for (const key of path) {
    if (typeof here !== "object") return undefined;
    here = here[key];
  }
  return here;
}

function textAt(table: Table, path: string[], language: string, values: Values = {}): string {
  const found = find(table, path);
  return typeof found === "string" ? fill(found, language, values) : path.join(".");
}

/** A story takes two lines: on a phone more would push the board down, elsewhere it is not read. */
const MOST_LETTERS = 110;
const LETTERS_A_PIXEL = 0.225; // in two lines of the prompt on a phone

/** How long a story may be where it is this wide. */
export const lettersIn = (width: number): number =>
  Math.min(MOST_LETTERS, Math.floor(width * LETTERS_A_PIXEL));

/** The words of one game in one language, as in words.toml. */
export class GameWords {
  constructor(
    readonly game: string,
    private readonly table: Table,
    private readonly language: string,
  ) {}

  get name(): string {
    return textAt(this.table, ["name"], this.language);
  }

  /** The kind of game in a word or two; "" if the game does not say. */
  get kind(): string {
    const found = find(this.table, ["kind"]);
    return typeof found === "string" ? found : "";
  }

  get pitch(): string {
    return textAt(this.table, ["pitch"], this.language).trim();
  }

  /** The rules in short: paragraphs, lists, **bold**. */
  get rules(): string {
    return textAt(this.table, ["rules"], this.language).trim();
  }

  /** The words under [section] key with the values filled in; the key itself if there are none. */
  text(section: string, key: string, values: Values = {}): string {
    const named = Object.fromEntries(Object.entries(values).map(([k, v]) => [k, this.named(v)]));
    return textAt(this.table, [...section.split("."), key], this.language, named);
  }

  board(key: string, values: Values = {}): string {
    return this.text("board", key, values);
  }

  has(section: string, key: string): boolean {
    return typeof find(this.table, [...section.split("."), key]) === "string";
  }

  /** The name of one of the sheet's things, or the value itself. */
  named(value: unknown): unknown {
    if (typeof value !== "string") return value;
    const name = find(this.table, ["names", value]);
    return typeof name === "string" ? name : value;
  }

  /** What these facts say, the last of them that fit; `names` are those of the seats. */
  story(facts: Fact[], names: string[], mostLetters = MOST_LETTERS): string {
    const first = Math.max(
      0,
      facts.findLastIndex(({ kind }) => ALONE.has(kind)),
    );
    const texts = facts.slice(first).map((fact) => this.fact(fact, names));
    while (texts.length > 1 && sentences(texts).length > mostLetters) texts.shift();
    return sentences(texts);
  }

  /** What a fact says; "" if it is not for telling. */
  fact({ kind, key, values }: Fact, names: string[]): string {
    if (kind === "note") return "";
    return this.kept({ key, values }, names);
  }

  /** What the history says of a fact. */
  kept({ key, values }: Pick<Fact, "key" | "values">, names: string[]): string {
    const filled = { ...values, ...this.players(values, names) };
    const [section = "", name = ""] = key.split(".", 2);
    if (name === "") return capital(this.text("story", key, filled));
    const text = this.text(section, name, filled); // a move, in a game without a story
    return capital(filled["seat"] ? `${String(filled["seat"])}: ${text}` : text);
  }

  /** What decided a match. */
  decided({ key, values }: Saying, names: string[]): string {
    return capital(this.text("decided", key, { ...values, ...this.players(values, names) }));
  }

  /** The players that a fact names, as texts. */
  private players(values: Values, names: string[]): Values {
    const name = (seat: unknown) => names[Number(seat)] ?? "";
    const found: Values = {};
    if ("seat" in values) found["seat"] = name(values["seat"]);
    if (Array.isArray(values["seats"])) found["seats"] = this.listed(values["seats"].map(name));
    if (Array.isArray(values["by_seat"])) {
      const pairs = values["by_seat"] as [number, Part][];
      found["by_seat"] = pairs.map(([seat, part]) => `${name(seat)} ${this.part(part)}`).join(", ");
    }
    return found;
  }

  private part(part: Part): string {
    return Array.isArray(part) ? this.text("story", ...part) : String(this.named(part));
  }

  private listed(texts: string[]): string {
    return new Intl.ListFormat(this.language, { type: "conjunction" }).format(texts);
  }

  /** What a line of the log says, without who did it; "" if it is hidden from this viewer. */
  line(line: Line): string {
    if (line.key === "") return "";
    return this.text(line.seat === CHANCE ? "outcomes" : "moves", line.key, line.values);
  }
}

/** The text as it begins a sentence. */
export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** A score as it is printed: with a minus, not a hyphen. */
export const figure = (score: number): string => String(score).replace("-", "−");

/** Several things told in one breath, each with a full stop unless it ends with a mark. */
export const sentences = (texts: string[]): string =>
  texts
    .filter((text) => text !== "")
    .map((text) => (/[.!?…]\s?[”“»]?$/.test(text) ? text : `${text}.`))
    .join(" ");

/** Everything the server sends for one language. */
export interface AllWords {
  page: Table;
  games: Record<string, Table>;
}

/** The page's own words: `t("lobby.title")` looks under [page], `t(".over")` among the shared ones. */
export class PageWords {
  constructor(
    private readonly all: AllWords,
    private readonly language: string,
  ) {}

  /** The same with one more section of the page's words. */
  with(section: string, words: Table): PageWords {
    const page = { ...(this.all.page["page"] as Table), [section]: words };
    return new PageWords({ ...this.all, page: { ...this.all.page, page } }, this.language);
  }

  text(key: string, values: Values = {}): string {
    const path = key.startsWith(".") ? [key.slice(1)] : ["page", ...key.split(".")];
    return textAt(this.all.page, path, this.language, values);
  }

  has(key: string): boolean {
    return typeof find(this.all.page, ["page", ...key.split(".")]) === "string";
  }

  game(game: string): GameWords {
    return new GameWords(game, this.all.games[game] ?? {}, this.language);
  }
}
