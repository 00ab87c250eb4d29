/** How the end of a match is shown and heard at this device. */
import type { Attempt, MatchInfo, Standing } from "../messages";
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

/** By how much the winners are ahead of those who come next; undefined where points decide less. */
export function marginOf({
  winners,
  scores,
}: Pick<MatchInfo, "winners" | "scores">): { margin: number; seats: number[] } | undefined {
  const first = winners[0];
  const others = [...scores.keys()].filter((seat) => !winners.includes(seat));
  if (first === undefined || others.length === 0) return undefined;
  const points = (seat: number) => scores[seat] ?? 0;
  const next = Math.max(...others.map(points));
  const margin = points(first) - next;
  return margin > 0 ? { margin, seats: others.filter((seat) => points(seat) === next) } : undefined;
}

/**
 * How our score compares with the best one that others, or we before, had in the same seat with the
 * same deal. `attempts` are all matches with it, this one last.
 */
export function compared(
  { scores }: Pick<MatchInfo, "scores">,
  mine: number[],
  attempts: Attempt[],
): { outcome: "beaten" | "equalled" | "not_reached"; best: number } | undefined {
  const [seat] = mine;
  const earlier = attempts.slice(0, -1);
  if (seat === undefined || earlier.length === 0) return undefined;
  const best = Math.max(...earlier.map((attempt) => attempt.scores[seat] ?? -Infinity));
  const score = scores[seat] ?? 0;
  const outcome = score > best ? "beaten" : score === best ? "equalled" : "not_reached";
  return { outcome, best };
}

/** Who has won how often, the most wins first; empty before two matches have been played. */
export function seriesOf(series: Standing[]): Standing[] {
  if (!series.some(({ matches }) => matches > 1)) return [];
  return [...series].sort((one, other) => other.wins - one.wins);
}
