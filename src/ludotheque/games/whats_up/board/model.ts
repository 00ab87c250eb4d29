/** Faces and cells by their numbers, and what the last turn brought. */
import type { GameWords } from "$client/board";
import {
  CARDS,
  CELL_NAMES,
  COLUMNS,
  FACE_BIRDS,
  FACE_COLOURS,
  FACE_NAMES,
  type View,
} from "./rules";

/** A card on its way from the grid into a collection. */
export interface Flight {
  id: number;
  cell: number;
  from: number;
  to: number;
  seat: number;
}

export const ROW_NUMBERS = Array.from({ length: CARDS / COLUMNS }, (_, row) => row + 1);

export const colourOf = (face: number): number => FACE_COLOURS[face] ?? 0;
export const birdsOn = (face: number): number => FACE_BIRDS[face] ?? 0;

/** "c4", as the notation has it. */
export const cellName = (cell: number): string => CELL_NAMES[cell] ?? "";

/** "r2", a key of the game's [names]. */
export const faceKey = (face: number): string => FACE_NAMES[face] ?? "";

export const rowsOf = (view: View, seat: number): number[] => view.rows[seat] ?? [];

/** Who turned which card last and what came up, or "" before the first turn. */
export function lastTurn(view: View, names: string[], words: GameWords): string {
  if (view.turned < 0) return "";
  return words.board(view.taken ? "took" : "stayed", {
    player: names[view.turner] ?? "",
    cell: cellName(view.turned),
    face: faceKey(view.taken || (view.up[view.turned] ?? 0)),
  });
}
