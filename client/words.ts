/** Words of the page and of the games, as the server gives them for one language. */
import type { Fact, Line } from "./messages";

export type Values = Record<string, unknown>;
type Table = { [key: string]: string | Table };

const CHANCE = -1;

/** Fill the blanks of a template: "{player} wins" with {player: "Ada"}. */
export function fill(template: string, values: Values = {}): string {
  return template.replace(/\{\{|\}\}|\{(\w+)\}/g, (blank: string, name?: string) => {
    if (name === undefined) return blank.charAt(0);
    return name in values ? String(values[name]) : blank;
  });
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

function textAt(table: Table, path: string[], values: Values): string {
  const found = find(table, path);
  return typeof found === "string" ? fill(found, values) : path.join(".");
}

/** The words of one game in one language, as in words.toml. */
export class GameWords {
  constructor(
    readonly game: string,
    private readonly table: Table,
  ) {}

  get name(): string {
    return textAt(this.table, ["name"], {});
  }

  get pitch(): string {
    return textAt(this.table, ["pitch"], {}).trim();
  }

  /** The rules in short: paragraphs, lists, **bold**. */
  get rules(): string {
    return textAt(this.table, ["rules"], {}).trim();
  }

  /** The words under [section] key with the values filled in; the key itself if there are none. */
  text(section: string, key: string, values: Values = {}): string {
    const named = Object.fromEntries(Object.entries(values).map(([k, v]) => [k, this.named(v)]));
    return textAt(this.table, [...section.split("."), key], named);
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

  /** What these facts say, one sentence each; `names` are those of the seats. */
  story(facts: Fact[], names: string[]): string {
    return sentences(facts.map((fact) => this.fact(fact, names)));
  }

  /** What a fact says; "" if it is not for telling. */
  fact({ kind, key, values }: Fact, names: string[]): string {
    if (kind === "note") return "";
    return this.kept({ key, values }, names);
  }

  /** What the history says of a fact. */
  kept({ key, values }: Pick<Fact, "key" | "values">, names: string[]): string {
    const [section, name] = key.includes(".") ? key.split(".", 2) : ["story", key];
    return capital(this.text(section ?? "", name ?? "", { ...values, ...players(values, names) }));
  }

  /** What a line of the log says, without who did it; "" if it is hidden from this viewer. */
  line(line: Line): string {
    if (line.key === "") return "";
    return this.text(line.seat === CHANCE ? "outcomes" : "moves", line.key, line.values);
  }
}

/** The players that a fact names, as texts. */
function players(values: Values, names: string[]): Values {
  const name = (seat: unknown) => names[Number(seat)] ?? "";
  const found: Values = {};
  if ("seat" in values) found["seat"] = name(values["seat"]);
  if (Array.isArray(values["seats"])) found["seats"] = listed(values["seats"].map(name));
  if (Array.isArray(values["by_seat"])) {
    const pairs = values["by_seat"] as [number, string][];
    found["by_seat"] = pairs.map(([seat, text]) => `${name(seat)} ${text}`).join(", ");
  }
  return found;
}

const listed = (texts: string[]): string =>
  new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(texts);

/** The text as it begins a sentence. */
export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** A score as it is printed: with a minus, not a hyphen. */
export const figure = (score: number): string => String(score).replace("-", "−");

/** Several things told in one breath. */
export const sentences = (texts: string[]): string =>
  texts
    .filter((text) => text !== "")
    .map((text) => `${text}.`)
    .join(" ");

/** Everything the server sends for one language. */
export interface AllWords {
  page: Table;
  games: Record<string, Table>;
}

/** The page's own words: `t("lobby.title")` looks under [page], `t(".over")` among the shared ones. */
export class PageWords {
  constructor(private readonly all: AllWords) {}

  text(key: string, values: Values = {}): string {
    const path = key.startsWith(".") ? [key.slice(1)] : ["page", ...key.split(".")];
    return textAt(this.all.page, path, values);
  }

  has(key: string): boolean {
    return typeof find(this.all.page, ["page", ...key.split(".")]) === "string";
  }

  game(game: string): GameWords {
    return new GameWords(game, this.all.games[game] ?? {});
  }
}

/** The same words with the spaces of French before ; : ! ? % and inside « » unbreakable. */
export function typeset<T>(words: T, language: string): T {
  if (language !== "fr") return words;
  return JSON.parse(JSON.stringify(words), (_, value: unknown) =>
    typeof value === "string"
      ? value.replace(/ (?=[:;!?%»])/g, "\u00a0").replace(/« /g, "«\u00a0")
      : value,
  ) as T;
}
