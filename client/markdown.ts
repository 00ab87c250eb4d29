/**
 * The little of Markdown that rules are written in: paragraphs, lists, **bold**, and links to the
 * chapters of lessons. No HTML passes.
 */
export type Span = { text: string; bold: boolean };
/** `[caption](lesson/chapter)`: a chapter that shows what was said; with a caption, its picture too. */
export type Show = { caption: string; place: string };
export type Passage = { spans: Span[]; shows: Show[] };
export type Block =
  ({ kind: "paragraph" } & Passage) | { kind: "list"; ordered: boolean; items: Passage[] };

const ITEM = /^(?:([-*])|\d+\.)\s+/;
const LINK = /\s*\[([^\]]*)\]\((\w+\/\w+)\)/g;

export function blocks(text: string): Block[] {
  const found: Block[] = [];
  for (const chunk of text.trim().split(/\n\s*\n/)) found.push(...parts(chunk.split("\n")));
  return found;
}

/** The blocks of lines without a blank one between them: text before a list, then the list. */
function parts(lines: string[]): Block[] {
  const prose: string[] = [];
  const items: string[] = [];
  let ordered = false;
  for (const line of lines) {
    const mark = ITEM.exec(line.trim());
    if (mark) {
      ordered = mark[1] === undefined;
      items.push(line.trim().slice(mark[0].length));
    } else if (items.length > 0) {
      items.push(`${items.pop() ?? ""} ${line.trim()}`);
    } else {
      prose.push(line.trim());
    }
  }
  const before: Block[] =
    prose.length > 0 ? [{ kind: "paragraph", ...passage(prose.join(" ")) }] : [];
  const list: Block[] =
    items.length > 0 ? [{ kind: "list", ordered, items: items.map(passage) }] : [];
  return [...before, ...list];
}

function passage(text: string): Passage {
  const shows = [...text.matchAll(LINK)].map(([, caption = "", place = ""]) => ({
    caption,
    place,
  }));
  return { spans: spans(text.replaceAll(LINK, "")), shows };
}

export function spans(text: string): Span[] {
  return text
    .split("**")
    .map((part, place) => ({ text: part, bold: place % 2 === 1 }))
    .filter((span) => span.text !== "");
}

/** What a passage is about: its first words in bold, without the mark that ends them. */
export const titleOf = ({ spans }: Passage): string =>
  (spans.find(({ bold }) => bold)?.text ?? "").replace(/[\s.:]+$/, "");
