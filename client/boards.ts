/** The boards and pictures of the games, found by looking into their folders. */
import type { BoardModule } from "./board";

const boards = import.meta.glob<BoardModule>("../src/ludotheque/games/*/board/Board.svelte");
const pictures = import.meta.glob<string>("../src/ludotheque/games/*/board/art.svg", {
  query: "?url",
  import: "default",
  eager: true,
});

const folder = (game: string) => `../src/ludotheque/games/${game}/board`;

/** The board of a game, or undefined if it has none yet. */
export async function boardOf(game: string): Promise<BoardModule | undefined> {
  return boards[`${folder(game)}/Board.svelte`]?.();
}

/** The address of a game's picture, 320 × 200, or "". */
export function pictureOf(game: string): string {
  return pictures[`${folder(game)}/art.svg`] ?? "";
}
