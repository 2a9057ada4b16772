import { printable } from './output.js';

/** Characters of a cell: a scanner that tells a long name must not push the other columns off the screen. */
const longestCell = 60;

/** Characters of the last cell of a row: nothing stands behind it. */
const longestLastCell = 200;

/** A text of unknown origin as a cell: safe for a terminal, and no longer than a cell may be. */
export function cellOf(text: string, longest = longestCell): string {
  const characters = [...printable(text)];
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`;
}

interface TableOptions {
  /** Are the cells those of the person who reads them? Then none is cut. */
  readonly own?: boolean;
}

/** The lines of a table, in columns that are as wide as their longest cell. Cells may be of unknown origin. */
export function tableLines(
  rows: readonly (readonly string[])[],
  { own = false }: TableOptions = {},
): readonly string[] {
  const longest = (isLast: boolean) =>
    own ? Number.POSITIVE_INFINITY : isLast ? longestLastCell : longestCell;
  const cells = rows.map((row) =>
    row.map((cell, column) => cellOf(cell, longest(column === row.length - 1))),
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
