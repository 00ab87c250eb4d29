/** The little of Markdown that rules are written in: paragraphs, lists, **bold**. No HTML passes. */
export type Span = { text: string; bold: boolean };
export type Block =
  { kind: "paragraph"; spans: Span[] } | { kind: "list"; ordered: boolean; items: Span[][] };

const ITEM = /^(?:([-*])|\d+\.)\s+/;

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
    prose.length > 0 ? [{ kind: "paragraph", spans: spans(prose.join(" ")) }] : [];
  const list: Block[] =
    items.length > 0 ? [{ kind: "list", ordered, items: items.map(spans) }] : [];
  return [...before, ...list];
}

export function spans(text: string): Span[] {
  return text
    .split("**")
    .map((part, place) => ({ text: part, bold: place % 2 === 1 }))
    .filter((span) => span.text !== "");
}
