/** How the end of a match is shown and heard at this device. */
import type { MatchInfo } from "../messages";
import type { GameWords, Values } from "../words";

export const isWonBy = (seats: number[], winners: number[]): boolean =>
  seats.some((seat) => winners.includes(seat));

/** Cheerful for winners, sad if another player won; a match that nobody wins just ends. */
export function endingSound(seats: number[], winners: number[]): "win" | "lose" | "take" {
  if (isWonBy(seats, winners)) return "win";
  return seats.length > 0 && winners.length > 0 ? "lose" : "take";
}

/** The game's words for the verdict. They name the winners, or everyone if nobody won. */
export function headline(
  { verdict, winners, scores }: MatchInfo,
  names: string[],
  options: Values,
  words: GameWords,
  language: string,
): string {
  const named = winners.length > 0 ? winners : [...names.keys()];
  const players = new Intl.ListFormat(language).format(named.map((seat) => names[seat] ?? ""));
  const score = scores[named[0] ?? 0];
  return words.text("results", verdict, {
    ...options,
    player: players,
    players,
    score: score ?? "",
  });
}
