/** Who stands where when a match is over: the winners as the rules say, the others by their points. */
import type { MatchInfo } from "../messages";

export interface Place {
  seat: number;
  /** 1 for the winners, whatever their points; players who are equal share a place; 0 for none. */
  rank: number;
}

/** The seats as a list shows them: by their places at an end that has winners, otherwise in order. */
export function listed(match: MatchInfo | null, seats: number, isTeam: boolean): Place[] {
  if (match?.over && match.winners.length > 0 && !isTeam) return placesOf(match);
  return Array.from({ length: seats }, (_, seat) => ({ seat, rank: 0 }));
}

/** The seats from the first place to the last. Where nobody wins, everyone has the first place. */
export function placesOf({ winners, scores }: Pick<MatchInfo, "winners" | "scores">): Place[] {
  const all = [...scores.keys()];
  if (winners.length === 0) return all.map((seat) => ({ seat, rank: 1 }));
  const points = (seat: number) => scores[seat] ?? -Infinity;
  const others = all.filter((seat) => !winners.includes(seat));
  const better = (seat: number) => others.filter((other) => points(other) > points(seat)).length;
  return [
    ...winners.map((seat) => ({ seat, rank: 1 })),
    ...others
      .map((seat) => ({ seat, rank: winners.length + 1 + better(seat) }))
      .sort((one, other) => one.rank - other.rank || one.seat - other.seat),
  ];
}
