/** The columns of cards in as few rows as their least width allows, the rows about as long. */
export function evenColumns(count: number, width: number, least: number): number {
  const most = Math.max(1, Math.floor(width / least));
  const rows = Math.max(1, Math.ceil(count / most));
  return Math.max(1, Math.ceil(count / rows));
}
