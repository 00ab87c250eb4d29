/** Faces and cells by their numbers, and the card that is being turned. */
import type { Fact } from "$client/board";
import {
  CARDS,
  CELL_NAMES,
  COLUMNS,
  FACE_BIRDS,
  FACE_COLOURS,
  FACE_NAMES,
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
