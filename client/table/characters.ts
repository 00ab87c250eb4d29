/** The bots of a game as people meet them. */
import type { Occupant } from "../messages";
import { isBot } from "../seats";
import { session, t } from "../session.svelte";
import { capital, type GameWords } from "../words";

export interface Character {
  kind: string;
  /** The level in a word: "master". */
  level: string;
  /** The game's own player of this level; "" for a bot that plays anything. */
  name: string;
  /** A line about it, or "". */
  line: string;
  /** Its place among the levels, from 1; 0 for none. */
  strength: number;
}

/** The bots there are, those with a character first, from the weakest to the strongest. */
export function charactersOf(kinds: string[], words: GameWords): Character[] {
  const own = kinds.filter((kind) => words.has(`bots.${kind}`, "name"));
  const others = kinds.filter((kind) => !own.includes(kind));
  return [
    ...own.map((kind, place) => ({
      kind,
      level: levelOf(kind),
      name: words.text(`bots.${kind}`, "name"),
      line: words.text(`bots.${kind}`, "character"),
      strength: place + 1,
    })),
    ...others.map((kind) => ({
      kind,
      level: levelOf(kind),
      name: "",
      line: lineOf(kind),
      strength: 0,
    })),
  ];
}

const has = (key: string) => session.words?.has(key) ?? false;
export const levelOf = (kind: string): string => (has(`bots.${kind}`) ? t(`bots.${kind}`) : kind);

/** Which level plays for a bot that is not ready yet, in words; "" if the bot itself plays. */
export function standInOf(occupant: Occupant): string {
  const { stand_in } = occupant;
  const level = isBot(occupant) ? occupant.level : occupant.kept_by;
  if (stand_in === null || level === null) return "";
  const names = { stand_in: capital(levelOf(stand_in)), level: capital(levelOf(level)) };
  return t("table.stand_in", names);
}

const lineOf = (kind: string) => (has(`bots.${kind}_character`) ? t(`bots.${kind}_character`) : "");
