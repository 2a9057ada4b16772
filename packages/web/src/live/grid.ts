/** Least distance of two lines of the grid, in CSS pixels. */
const leastGap = 14;

/** The distances of the lines of a grid, in m: `fine` lines, and the `strong` ones that carry a label. */
export interface GridSteps {
  readonly fine: number;
  readonly strong: number;
}

/** The grid that fits a scale: 1, 2 or 5 of a decimal unit. Every fifth line is strong, or every second or fourth. */
export function gridSteps(scale: number): GridSteps {
  const least = leastGap / scale;
  const decimal = 10 ** Math.floor(Math.log10(least));
  const factor = least / decimal;
  if (factor <= 1) return { fine: decimal, strong: 5 * decimal };
  if (factor <= 2) return { fine: 2 * decimal, strong: 10 * decimal };
  if (factor <= 5) return { fine: 5 * decimal, strong: 20 * decimal };
  return { fine: 10 * decimal, strong: 50 * decimal };
}

/** 1, 2 or 5 of a decimal unit: the least that is not below a value. */
export function roundAtLeast(value: number): number {
  const decimal = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((factor) => factor * decimal >= value * (1 - 1e-9)) ?? 10) * decimal;
}

/** The label of a line: metres with as many digits as its step needs. */
export function gridLabel(metres: number, step: number): string {
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const text = metres.toFixed(digits);
  return Number(text) === 0 ? '0' : text.replace('-', '−');
}
