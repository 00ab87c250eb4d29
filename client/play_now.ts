/** A match with bots that begins at once. */
import * as api from "./api";
import { boardOf } from "./boards";
import { choiceOf } from "./lobby/play_choice";
import type { GameInfo } from "./messages";
import { session } from "./session.svelte";

/**
 * Open a table and go there. The page of the table begins the match, once it has added to the
 * shuffle as any player's page does.
 */
export async function playNow(info: GameInfo): Promise<void> {
  fetchAhead(info.game);
  const { seats, level } = choiceOf(info);
  await session.someone();
  const { id } = await api.openTable({ game: info.game, seats });
  session.starting = { table: id, bots: level };
  session.go(`/t/${id}`);
}

/** Fetch what will be shown, along with opening the table; a failure is told where it is shown. */
function fetchAhead(game: string): void {
  import("./table/Table.svelte").catch(() => {});
  boardOf(game).catch(() => {});
}
