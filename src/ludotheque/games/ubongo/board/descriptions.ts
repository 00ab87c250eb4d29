/** What is said about cards and layouts. */
import type { GameWords } from "$client/board";
import { faceOf, type Link, type Spot } from "./model";
import type { Notes } from "./rules";

function symbolNames(symbols: string[], words: GameWords): string {
  return symbols.map((symbol) => words.named(symbol)).join(" ");
}

export function cardName(i: number, card: number, isBlack: boolean, words: GameWords): string {
  const face = faceOf(card, isBlack);
  return words.board("card", {
    number: i + 1,
    upper: symbolNames(face.slice(0, 3), words),
    lower: symbolNames(face.slice(3), words),
  });
}

export function spotName(spot: Spot, words: GameWords): string {
  const where = words.board("at", { column: spot.x, row: spot.y });
  return spot.turn === 0 ? where : `${where}, ${words.board(`turned_${spot.turn}`)}`;
}

/** What one card faces: "card 3: anchor–anchor, bell–drop". */
export function neighbours(links: Link[], i: number, words: GameWords): string {
  const pairs = new Map<number, string[]>();
  for (const { a, b, symbols } of links) {
    if (a !== i && b !== i) continue;
    const other = a === i ? b : a;
    const pair = symbols.map((symbol) => words.named(symbol)).join("–");
    pairs.set(other, [...(pairs.get(other) ?? []), pair]);
  }
  return [...pairs]
    .map(([other, faced]) => words.board("faces", { number: other + 1, pairs: faced.join(", ") }))
    .join("; ");
}

export interface Verdict {
  isRight: boolean;
  text: string;
  cards: number[];
}

/** What the rules found in a layout that has been counted. */
export function verdictOf(seat: number, notes: Notes, words: GameWords): Verdict {
  if (notes.laid[seat] === 0) return { isRight: false, text: words.board("no_cards"), cards: [] };
  const [fault, a, b] = notes.verdicts[seat] ?? ["", 0, 0];
  if (fault === "") return { isRight: true, text: words.board("right"), cards: [] };
  if (a === b)
    return { isRight: false, text: words.board("alone", { a: a + 1, fault }), cards: [a] };
  const text = words.board("fault", { a: a + 1, b: b + 1, fault });
  return { isRight: false, text, cards: [a, b] };
}
