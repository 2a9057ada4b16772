/** Cells of a grid. */
interface Grid {
  readonly width: number;
  readonly height: number;
  isOccupied(column: number, row: number): boolean;
}

/**
 * Follows a ray from cell to cell (Amanatides and Woo), and returns the way to the first occupied cell, in cells; infinity if
 * there is none.
 * @param x where the ray begins, in cells from the lower left corner of the grid
 */
export function rangeOnGrid(grid: Grid, x: number, y: number, direction: number): number {
  const [dx, dy] = [Math.cos(direction), Math.sin(direction)];
  let [column, row] = [Math.floor(x), Math.floor(y)];
  const [stepX, stepY] = [Math.sign(dx), Math.sign(dy)];
  const [perColumn, perRow] = [Math.abs(1 / dx), Math.abs(1 / dy)];
  let nextX = dx > 0 ? (column + 1 - x) / dx : (column - x) / dx;
  let nextY = dy > 0 ? (row + 1 - y) / dy : (row - y) / dy;
  while (column >= 0 && row >= 0 && column < grid.width && row < grid.height) {
    const way = Math.min(nextX, nextY);
    if (nextX < nextY) {
      column += stepX;
      nextX += perColumn;
    } else {
      row += stepY;
      nextY += perRow;
    }
    if (grid.isOccupied(column, row)) return way;
  }
  return Number.POSITIVE_INFINITY;
}
