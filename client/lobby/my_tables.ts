/** The tables at which we play: their order, and what we last knew of them. */
import type { MyTable } from "../messages";
import { isKept } from "../seats";
import { remembered } from "../storage";

const kept = remembered("tables", "");

/** The match waits for one of our seats, and no bot plays it for us. */
export function isOurTurn({ table, you, awaited }: MyTable): boolean {
  return you.some((seat) => awaited.includes(seat) && !isKept(table.seats[seat]));
}

/** Those that wait for us, then running ones, then those about to begin, then those that are over. */
export function inOrder(tables: MyTable[]): MyTable[] {
  const rank = (one: MyTable) =>
    isOurTurn(one) ? 0 : 1 + ["playing", "gathering", "over"].indexOf(one.table.status);
  return [...tables].sort((one, other) => rank(one) - rank(other));
}

/** Whether this guest's list has been seen here before. */
export const isKnown = (guest: string): boolean => read().of === guest;

/** What this guest's list was when it was last seen. */
export function lastKnown(guest: string): MyTable[] {
  const { of, tables } = read();
  return of === guest ? (tables ?? []) : [];
}

function read(): { of?: string; tables?: MyTable[] } {
  try {
    return JSON.parse(kept.get() || "{}") as { of?: string; tables?: MyTable[] };
  } catch {
    return {};
  }
}

export function keep(guest: string, tables: MyTable[]): void {
  kept.set(JSON.stringify({ of: guest, tables }));
}
