/** By how much a match was won, what decided it, and what it means for those who play here. */
import { goalsOf } from "../options";
import { session, t } from "../session.svelte";
import { figure, sentences, type GameWords } from "../words";
import { compared, marginOf } from "./result";
import type { Room } from "./room.svelte";

export const whyOf = (room: Room, words: GameWords): string =>
  sentences([marginText(room), decidedText(room, words), room.bestText, outcomeText(room, words)]);

function marginText({ match, names }: Room): string {
  const found = match && marginOf(match);
  if (!found) return "";
  const players = found.seats.map((seat) => names[seat] ?? "");
  return t("over.margin", {
    margin: found.margin,
    players: new Intl.ListFormat(session.language).format(players),
  });
}

const decidedText = ({ match, names }: Room, words: GameWords): string =>
  match?.decided ? words.decided(match.decided, names) : "";

/** Where the game itself sets what is to be reached, its verdict says how it went. */
function outcomeText({ match, table, mine }: Room, words: GameWords): string {
  const info = session.game(words.game);
  if (!match || !table?.replay || !info || goalsOf(info, table.options, words).length > 0)
    return "";
  const found = compared(match, mine, table.replay);
  return found ? t(`over.${found.outcome}`, { best: figure(found.best) }) : "";
}
