/** Faces and cells by their numbers, and the card that is being turned. */
import type { Fact } from "$client/board";
import {
  CARDS,
  CELL_NAMES,
  COLOURS,
  COLUMNS,
  FACE_BIRDS,
  FACE_COLOURS,
  FACE_NAMES,
  FULL,
  type View,
} from "./rules";

/** A card that is turned over, as far as it has been told. */
export interface Turning {
  cell: number;
  /** The face that goes under, and the one that comes up. */
  from: number;
  to: number;
  seat: number;
  /** It goes to the collection of the seat; perhaps it completes a row there. */
  isTaken: boolean;
  isRow: boolean;
}

export const ROW_NUMBERS = Array.from({ length: CARDS / COLUMNS }, (_, row) => row + 1);

export const colourOf = (face: number): number => FACE_COLOURS[face] ?? 0;
export const birdsOn = (face: number): number => FACE_BIRDS[face] ?? 0;

/** "c4", as the notation has it. */
export const cellName = (cell: number): string => CELL_NAMES[cell] ?? "";

/** "r2", a key of the game's [names]. */
export const faceKey = (face: number): string => FACE_NAMES[face] ?? "";

export const rowsOf = (view: View, seat: number): number[] => view.rows[seat] ?? [];

/** The card that the facts tell of, on the view before it was turned. */
export function turningOf(view: View, facts: Fact[]): Turning | undefined {
  const turned = facts.find(({ kind }) => kind === "turn")?.values;
  if (!turned) return undefined;
  const cell = CELL_NAMES.findIndex((name) => name === turned["cell"]);
  return {
    cell,
    from: view.up[cell] ?? 0,
    to: FACE_NAMES.findIndex((name) => name === turned["face"]),
    seat: Number(turned["seat"]),
    isTaken: facts.some(({ kind }) => kind === "place" || kind === "gain"),
    isRow: facts.some(({ kind }) => kind === "gain"),
  };
}

/** How the albums of all players share their room. */
export interface Arrangement {
  /** Albums beside each other, and rows of birds beside each other in each of them. */
  columns: number;
  pairs: number;
  /** The side of a card, in pixels. */
  slot: number;
}

/** What stands round the cards, in pixels. */
export const ALBUM = { between: 4, pad: 4, border: 2, head: 20, slit: 2 };
const MAX_SLOT_PX = 104;
const CLEARLY = 1.08; // albums beside each other are compared at a glance: others have to be worth it

/** The arrangement in which the cards are largest: every album has COLOURS rows of FULL cards. */
export function arrange(seats: number, width: number, height: number): Arrangement {
  const { between, pad, border, head, slit } = ALBUM;
  const frame = 2 * (pad + border);
  let best: Arrangement = { columns: seats, pairs: 1, slot: 0 };
  for (let columns = seats; columns >= 1; columns -= 1) {
    if (seats % columns > 0) continue;
    const lines = seats / columns;
    const inside = (width - (columns - 1) * between) / columns - frame;
    const high = (height - (lines - 1) * between) / lines - frame - head;
    for (const pairs of [1, 2, 4]) {
      const across = pairs * FULL;
      const down = COLOURS / pairs;
      const slot = Math.min(
        (inside - (across - pairs) * slit - (pairs - 1) * 3 * slit) / across,
        (high - (down - 1) * slit) / down,
        MAX_SLOT_PX,
      );
      const worth = columns === best.columns ? 1 : CLEARLY;
      if (slot > best.slot * worth) best = { columns, pairs, slot: Math.floor(slot) };
    }
  }
  return best;
}
