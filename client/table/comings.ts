/** Who else has come to the table and who has left it while a match is prepared. */
import type { Occupant, Person } from "../messages";
import { isPerson } from "../seats";

type Seats = (Occupant | null)[];

interface Comings {
  come: string[];
  gone: string[];
  /** Every seat was taken, and one is not any more. */
  isFreed: boolean;
}

/** Tells people apart who share a device; otherwise a new name is no new person. */
const keyOf = ({ id, name, shares }: Person): string => (shares ? `${id} ${name}` : id);

export function comingsOf(before: Seats, now: Seats, me: string | null): Comings {
  const isOther = (seat: Occupant | null): seat is Person => isPerson(seat) && seat.id !== me;
  const [earlier, present] = [before.filter(isOther), now.filter(isOther)];
  const missingIn = (people: Person[]) => {
    const known = new Set(people.map(keyOf));
    return (one: Person) => !known.has(keyOf(one));
  };
  return {
    come: present.filter(missingIn(earlier)).map(({ name }) => name),
    gone: earlier.filter(missingIn(present)).map(({ name }) => name),
    isFreed: before.length > 0 && !before.includes(null) && now.includes(null),
  };
}
