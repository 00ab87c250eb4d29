/** The games that this browser has seen played or explained: nobody is asked to learn them again. */
import { remembered } from "../storage";

const kept = remembered("known_games", "");

const known = (): string[] => kept.get().split(" ").filter(Boolean);

export const isKnown = (game: string): boolean => known().includes(game);

export function know(game: string): void {
  if (!isKnown(game)) kept.set([...known(), game].join(" "));
}
