/** Who plays in a lesson: the learner, and bots under the names that they have in this game. */
import { AVATARS, type Occupant } from "../messages";
import { session, t } from "../session.svelte";
import { isolated, type GameWords } from "../words";

const OTHERS = ["regular", "expert", "novice"];

export interface Cast {
  names: string[];
  seats: Occupant[];
}

export function castOf(words: GameWords, count: number): Cast {
  const learner = isolated(session.me?.name ?? t(".seat", { number: 1 }));
  const others = OTHERS.map((level) => words.text(`bots.${level}`, "name"));
  const names = [learner, ...others].slice(0, count);
  return { names, seats: names.map(occupant) };
}

const occupant = (name: string, seat: number): Occupant => ({
  kind: "bot",
  name,
  avatar: AVATARS + seat,
  level: "regular",
  stand_in: null,
});
