import { printable } from './output.js';

/** Maximum characters of a cell: a long name from a scanner must not push the other columns off the screen. */
const maxCellLength = 60;

/** Maximum characters of the last cell of a row. */
const maxLastCellLength = 200;

/** Returns a text of unknown origin as a cell: safe for a terminal, and no longer than the limit. */
export function tableCell(text: string, longest = maxCellLength): string {
  const characters = [...printable(text)];
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`;
}

interface TableOptions {
  /** True if the cells are texts of the user: then none is cut. */
  readonly own?: boolean;
}

/** Returns the lines of a table, in columns as wide as their longest cell. Cells may be of unknown origin. */
export function tableLines(
  rows: readonly (readonly string[])[],
  { own = false }: TableOptions = {},
): readonly string[] {
  const longest = (isLast: boolean) =>
    own ? Number.POSITIVE_INFINITY : isLast ? maxLastCellLength : maxCellLength;
  const cells = rows.map((row) =>
    row.map((cell, column) => tableCell(cell, longest(column === row.length - 1))),
  );
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
