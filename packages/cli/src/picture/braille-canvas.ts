/** The first of the 256 characters of braille: no dot. */
const blank = 0x2800;
/** The bit of each dot of a cell, row by row. */
const bits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;

/** A canvas of dots for a terminal, two across and four down in each character. */
export class BrailleCanvas {
  readonly columns: number;
  readonly rows: number;
  readonly #cells: Uint8Array;

  /** @param columns characters across @param rows characters down */
  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
    this.#cells = new Uint8Array(columns * rows);
  }

  /** Dots across. */
  get width(): number {
    return this.columns * 2;
  }

  /** Dots down. */
  get height(): number {
    return this.rows * 4;
  }

  /** Sets the dot at a place, from the top left corner; what lies outside is left out. */
  dot(x: number, y: number): void {
    const across = Math.round(x);
    const down = Math.round(y);
    if (!(across >= 0 && across < this.width && down >= 0 && down < this.height)) return;
    const cell = (down >> 2) * this.columns + (across >> 1);
    this.#cells[cell] = (this.#cells[cell] ?? 0) | (bits[down & 3]?.[across & 1] ?? 0);
  }

  /** The character of a cell; undefined where it has no dot. */
  cell(column: number, row: number): string | undefined {
    const dots = this.#cells[row * this.columns + column] ?? 0;
    return dots === 0 ? undefined : String.fromCodePoint(blank + dots);
  }

  /** The canvas line by line, without blanks at the ends. */
  lines(): string[] {
    return Array.from({ length: this.rows }, (_, row) =>
      Array.from({ length: this.columns }, (_, column) => this.cell(column, row) ?? ' ')
        .join('')
        .trimEnd(),
    );
  }
}
