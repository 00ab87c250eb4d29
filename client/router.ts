/** The pages there are, by their paths. */
export type Route =
  | { page: "lobby" }
  | { page: "table"; id: string }
  | { page: "screen"; id: string }
  | { page: "deal"; id: string }
  | { page: "recover" }
  | { page: "account" }
  | { page: "rules"; game: string }
  | { page: "lesson"; game: string; lesson: string; chapter: string; table: string }
  | { page: "privacy" }
  | { page: "share"; text: string }
  | { page: "nowhere" };

export function parse(path: string, search = ""): Route {
  const [first = "", ...rest] = path.split("/").filter(Boolean).map(decode);
  const second = rest[0] ?? "";
  if (first === "") return { page: "lobby" };
  if (first === "privacy" && rest.length === 0) return { page: "privacy" };
  if (first === "share") return { page: "share", text: shared(search) };
  if (first === "learn" && rest.length > 0 && rest.length < 4) {
    const table = new URLSearchParams(search).get("table") ?? "";
    return {
      page: "lesson",
      game: second,
      lesson: rest[1] ?? "first",
      chapter: rest[2] ?? "",
      table,
    };
  }
  if (first === "t" && rest.length === 2 && rest[1] === "screen") {
    return { page: "screen", id: second };
  }
  // A personal link has its token behind the #; links of earlier versions had it in the path.
  if (first === "r") return { page: "recover" };
  if (first === "me" && rest.length === 0) return { page: "account" };
  if (rest.length !== 1) return { page: "nowhere" };
  if (first === "t") return { page: "table", id: second };
  if (first === "deal") return { page: "deal", id: second };
  if (first === "rules") return { page: "rules", game: second };
  return { page: "nowhere" };
}

/** The way to a lesson, to one of its chapters, and back to the table that one comes from. */
export function lessonPath(game: string, place = "", table = ""): string {
  const path = place === "" ? `/learn/${game}` : `/learn/${game}/${place}`;
  return table === "" ? path : `${path}?table=${encodeURIComponent(table)}`;
}

/** Where a typed or pasted text leads: the id of a table, a link, a sentence with a link. */
export function pathIn(text: string): string {
  const linked = linkedPath(text);
  if (linked) return linked;
  const id = bare(text).toLowerCase();
  return /^[a-z0-9]{4,32}$/.test(id) ? `/t/${id}` : "";
}

/** The code of a table that somebody was told, however it is typed; "" for anything else. */
export function codeIn(text: string): string {
  const code = bare(text).toUpperCase();
  return /^[A-Z]{5}$/.test(code) ? code : "";
}

const bare = (text: string) => text.replace(/[\s-]/g, "");

/** The path of a link to a table or a deal, wherever in the text it stands; words are not codes. */
export const linkedPath = (text: string): string =>
  /\/(?:t|deal)\/[A-Za-z0-9_-]+/.exec(text)?.[0] ?? "";

function shared(search: string): string {
  const values = new URLSearchParams(search);
  return ["url", "text", "title"].map((name) => values.get(name) ?? "").join(" ");
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
