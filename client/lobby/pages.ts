/** Lists of tables, which the server gives page by page. */
import type { MyTable, TableInfo } from "../messages";

export interface Page<One> {
  tables: One[];
  next: string;
}

/** The first `count` pages as one; `next` is where the list goes on, "" at its end. */
export async function firstPages<One extends TableInfo | MyTable>(
  fetched: (after: string) => Promise<Page<One>>,
  count: number,
): Promise<Page<One>> {
  const tables = new Map<string, One>();
  let next = "";
  for (let page = 0; page < count; page++) {
    const answer = await fetched(next);
    // Tables come and go between two answers, so one may be on both pages.
    for (const table of answer.tables) tables.set(idOf(table), table);
    next = answer.next;
    if (next === "") break;
  }
  return { tables: [...tables.values()], next };
}

const idOf = (one: TableInfo | MyTable): string => ("table" in one ? one.table.id : one.id);
