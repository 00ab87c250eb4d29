/** Who has played a deal, and what they scored, in a line of text. */
import type { Attempt } from "./messages";
import { figure, isolated } from "./words";

/** A team has one score: "Ann and Bob 17"; others have each their own: "Ann 12, Bob 9". */
export function attemptText({ names: given, scores }: Attempt, language: string): string {
  const names = given.map(isolated);
  const isEven = scores.every((score) => score === scores[0]);
  if (isEven) return `${new Intl.ListFormat(language).format(names)} ${figure(scores[0] ?? 0)}`;
  return names.map((name, seat) => `${name} ${figure(scores[seat] ?? 0)}`).join(", ");
}

/** `here` marks the attempts of this table if other tables have played the deal too. */
export function attemptTexts(
  attempts: Attempt[],
  language: string,
  here: (attempt: string) => string,
): string[] {
  const isMixed = attempts.some((one) => one.is_here) && attempts.some((one) => !one.is_here);
  return attempts.map((attempt) => {
    const text = attemptText(attempt, language);
    return isMixed && attempt.is_here ? here(text) : text;
  });
}
