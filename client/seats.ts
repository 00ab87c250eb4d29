/** Who holds a seat. A bot belongs to no player, and a visitor without a name holds no seat. */
import type { Bot, Occupant, Person } from "./messages";

type Seat = Occupant | null;

export const isBot = (seat: Seat | undefined): seat is Bot => seat?.kind === "bot";
export const isPerson = (seat: Seat | undefined): seat is Person => seat?.kind === "person";

/** The player with this public id holds the seat; `null` is a visitor without a name. */
export const isHeldBy = (seat: Seat, player: string | null): seat is Person =>
  player !== null && isPerson(seat) && seat.id === player;

/** A bot plays the seat for the person who holds it. */
export const isKept = (seat: Seat | undefined): boolean => isPerson(seat) && seat.kept_by !== null;

export const countPersons = (seats: Seat[]): number => seats.filter(isPerson).length;
