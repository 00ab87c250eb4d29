/** What everyone at the table is told when a deal is played again. */
import { attemptTexts } from "./attempts";
import type { Attempt, TableInfo } from "./messages";
import { goalsOf } from "./options";
import { session, t } from "./session.svelte";
import { sentences, type GameWords } from "./words";

type Replayed = Pick<TableInfo, "game" | "options">;

/** Who has played a deal, in one text each. */
const attemptsInWords = (attempts: Attempt[]): string[] =>
  attemptTexts(attempts, session.language, (attempt) => t("replay.here", { attempt }));

/** What there is to beat, in one text each. */
export function goalsInWords({ game, options }: Replayed, words: GameWords): string[] {
  const info = session.game(game);
  return info ? goalsOf(info, options, words).map((goal) => t("replay.goal", { ...goal })) : [];
}

/** "Same deal as before. Score to beat: 17. Played so far: Ann and Bob 17."; "" for a new deal. */
export function replayText(table: TableInfo, words: GameWords): string {
  if (table.replay === null) return "";
  const attempts = attemptsInWords(table.replay).join(" · ");
  const played = attempts && t("replay.played", { attempts });
  const isFromHere = table.replay.every((attempt) => attempt.is_here);
  const same = t(isFromHere ? "replay.same" : "replay.of_others");
  return sentences([same, ...goalsInWords(table, words), played]);
}
