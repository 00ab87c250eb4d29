/** What was last seen of a table, for a reload without a network. */
import type { Log, Seen } from "../connection";

export interface LastKnown {
  at: number; // milliseconds since 1970
  update: Seen;
  lines: Log["lines"];
  chat: Log["chat"];
}

const PREFIX = "ludotheque.table.";
const TABLES_KEPT = 4;

/** Keep it, and forget the tables that were kept longest ago. Storage may be full or forbidden. */
export function keepTable(id: string, known: LastKnown): void {
  try {
    const others = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    const byAge = others.filter((key) => key !== PREFIX + id).sort((a, b) => ageOf(b) - ageOf(a));
    for (const key of byAge.slice(TABLES_KEPT - 1)) localStorage.removeItem(key);
    localStorage.setItem(PREFIX + id, JSON.stringify(known));
  } catch {
    // Then a reload without a network shows nothing of it.
  }
}

export function forgetTable(id: string): void {
  try {
    localStorage.removeItem(PREFIX + id);
  } catch {
    // Then nothing was kept either.
  }
}

const ageOf = (key: string) => read(key)?.at ?? 0;

/** The table as this guest last saw it. Nobody can act on it: things have happened since. */
export function recallTable(id: string, guest: string | null): LastKnown | undefined {
  const known = read(PREFIX + id);
  if (!known || known.update.me !== guest) return undefined;
  const { match } = known.update;
  const idle = match && { ...match, legal: [], awaited: [], alarm: -1, deadline: -1 };
  return { ...known, update: { ...known.update, match: idle, steps: [] } };
}

function read(key: string): LastKnown | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
