/** The best score that this device has seen of players who play alone. */
import { remembered } from "../storage";

interface Kept {
  best: number;
  /** The match in which it was reached, and the best score before that match. */
  match: string;
  before: number | null;
}

/**
 * Keep the score of a match and tell the best one before it, null if there was none. What a game
 * was played with belongs to the record. A match that is looked at again is the same match.
 */
export function bestBefore(
  game: string,
  options: Record<string, unknown>,
  match: string,
  score: number,
): number | null {
  const place = remembered(`best.${game}.${keyOf(options)}`, "");
  const kept = read(place.get());
  if (kept?.match === match) return kept.before;
  if (kept && kept.best >= score) return kept.best;
  const before = kept?.best ?? null;
  place.set(JSON.stringify({ best: score, match, before } satisfies Kept));
  return before;
}

const keyOf = (options: Record<string, unknown>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join("&");

function read(text: string): Kept | undefined {
  try {
    return text === "" ? undefined : (JSON.parse(text) as Kept);
  } catch {
    return undefined;
  }
}
