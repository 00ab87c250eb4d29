/** The boards and pictures of the games, found by looking into their folders. */
import type { BoardModule } from "./board";

const boards = import.meta.glob<BoardModule>("../src/ludotheque/games/*/board/Board.svelte");
const pictures = import.meta.glob<string>("../src/ludotheque/games/*/board/art.svg", {
  query: "?url",
  import: "default",
  eager: true,
});

const folder = (game: string) => `../src/ludotheque/games/${game}/board`;

const loaderOf = (game: string) => boards[`${folder(game)}/Board.svelte`];

/** Whether a game has a board of its own; if not, the server tells the plain one as text. */
export const hasBoard = (game: string): boolean => loaderOf(game) !== undefined;

/** The board of a game: its own, or the plain one. */
export async function boardOf(game: string): Promise<BoardModule> {
  const load = loaderOf(game) ?? (() => import("./table/PlainBoard.svelte"));
  return load();
}

/** The address of a game's picture, 320 × 200, or "". */
export function pictureOf(game: string): string {
  return pictures[`${folder(game)}/art.svg`] ?? "";
}
