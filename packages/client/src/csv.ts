/**
 * A table as comma-separated values (RFC 4180).
 * @param lineEnd what ends each line; programs for lines want no \r
 */
export function csvOf(
  head: readonly string[],
  rows: Iterable<readonly (string | number)[]>,
  lineEnd: '\r\n' | '\n' = '\r\n',
): string {
  return [head, ...rows].map((row) => `${row.map(cellOf).join(',')}${lineEnd}`).join('');
}

/** A text that a spreadsheet would run as a formula begins with an apostrophe. */
function cellOf(cell: string | number): string {
  const text = String(cell);
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
