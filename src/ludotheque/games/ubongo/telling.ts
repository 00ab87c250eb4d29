/** What is said about cards and layouts. */
import type { GameWords } from "$client/board";
import {
  faceOf,
  laidCards,
  linksOf,
  isBlackRound,
  laidBy,
  type Link,
  type Spot,
  type View,
} from "./model";

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

/**
 * Why a layout was counted as nothing. That it was is the server's word (its points); this only
 * puts into words what everyone sees in the drawing: the first border that does not look like the
 * others, or else a card that stands away.
 */
export function verdictOf(view: View, seat: number, words: GameWords): Verdict {
  const points = view.points[seat]?.[view.rounds - 1] ?? 0;
  if (laidBy(view, seat) === 0) return { isRight: false, text: words.board("no_cards"), cards: [] };
  if (points > 0) return { isRight: true, text: words.board("right"), cards: [] };
  const borders = bordersOf(linksOf(laidCards(view, seat), isBlackRound(view)));
  for (const border of borders) {
    const fault = oddity(border);
    const [link] = border;
    if (fault === "" || !link) continue;
    const text = words.board("fault", { a: link.a + 1, b: link.b + 1, fault });
    return { isRight: false, text, cards: [link.a, link.b] };
  }
  const alone = strayOf(
    laidCards(view, seat).map(({ i }) => i),
    borders,
  );
  const text = words.board("alone", { a: alone + 1, fault: "not_connected" });
  return { isRight: false, text, cards: [alone] };
}

/** The first card that no chain of borders joins to the first one. */
function strayOf(cards: number[], borders: Link[][]): number {
  const group = new Set(cards.slice(0, 1));
  for (let size = 0; size < group.size;) {
    size = group.size;
    for (const [link] of borders) {
      if (!link || (!group.has(link.a) && !group.has(link.b))) continue;
      group.add(link.a).add(link.b);
    }
  }
  return cards.find((i) => !group.has(i)) ?? 0;
}

export interface Verdict {
  isRight: boolean;
  text: string;
  cards: number[];
}

/** The links between each two cards, ordered as the rules look at them. */
function bordersOf(links: Link[]): Link[][] {
  const borders = new Map<number, Link[]>();
  for (const link of links) {
    const key = link.b * 16 + link.a;
    borders.set(key, [...(borders.get(key) ?? []), link]);
  }
  return [...borders].sort(([one], [other]) => one - other).map(([, border]) => border);
}

function oddity(border: Link[]): string {
  const [first, second] = border;
  if (border.length === 1) return "one_cell";
  if (border.length === 3) return "three_cells";
  if (!first || !second || border.every((link) => link.isEqual)) return "";
  const crossed = [...first.symbols].every((symbol, n) => symbol === second.symbols[1 - n]);
  return crossed ? "crossed" : "unequal";
}
