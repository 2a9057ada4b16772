/** A cell of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
