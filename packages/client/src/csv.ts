/**
 * Returns a table as comma-separated values (RFC 4180).
 * @param lineEnd end of each line; line-based programs need \n without \r
 */
export function csvText(
  head: readonly string[],
  rows: Iterable<readonly (string | number)[]>,
  lineEnd: '\r\n' | '\n' = '\r\n',
): string {
  return [head, ...rows].map((row) => `${row.map(csvCell).join(',')}${lineEnd}`).join('');
}

/** Returns one cell. A text that a spreadsheet would run as a formula begins with an apostrophe. */
function csvCell(cell: string | number): string {
  const text = String(cell);
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
