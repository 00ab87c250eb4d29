/** The list of public tables, which the server gives page by page. */
import type { TableInfo, TablePage } from "../messages";

/** The first `count` pages as one; `next` is where the list goes on, "" at its end. */
export async function firstPages(
  fetched: (after: string) => Promise<TablePage>,
  count: number,
): Promise<TablePage> {
  const tables = new Map<string, TableInfo>();
  let next = "";
  for (let page = 0; page < count; page++) {
    const answer = await fetched(next);
    // Tables come and go between two answers, so one may be on both pages.
    for (const table of answer.tables) tables.set(table.id, table);
    next = answer.next;
    if (next === "") break;
  }
  return { tables: [...tables.values()], next };
}
