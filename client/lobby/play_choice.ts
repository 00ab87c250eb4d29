/** With whom a game is played at once: remembered for each game on this device. */
import type { GameInfo } from "../messages";
import { remembered, type Remembered } from "../storage";

export interface PlayChoice {
  seats: number;
  /** The level of the bots that take all seats but ours. */
  level: string;
}

const choices = new Map<string, Remembered>();

function kept(game: string): Remembered {
  const known = choices.get(game) ?? remembered(`play.${game}`, "");
  choices.set(game, known);
  return known;
}

/** What was chosen last, as far as the game still has it. */
export function choiceOf({ game, seats, bots, usual_seats, usual_bot }: GameInfo): PlayChoice {
  const [count = "", level = ""] = kept(game).get().split(" ");
  return {
    seats: seats.includes(Number(count)) ? Number(count) : usual_seats,
    level: bots.includes(level) ? level : usual_bot,
  };
}

export const keepChoice = (game: string, { seats, level }: PlayChoice): void =>
  kept(game).set(`${seats} ${level}`);
