import { expect, test } from 'vitest';
import { scaleColour, scaleEnd } from '../../src/plan/colours.js';

/** Relative luminance (WCAG). */
function luminance(colour: readonly [number, number, number]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each([true, false])('stronger is always lighter (dark theme: %s)', (isDark) => {
  for (let step = 1; step <= 32; step++) {
    const [before, now] = [scaleColour((step - 1) / 32, isDark), scaleColour(step / 32, isDark)];
    expect(luminance(now)).toBeGreaterThan(luminance(before));
  }
});

test.each([
  [180, 1, 200],
  [2100, 1, 3000],
  [39_000, 1, 40_000],
  [60_000, 1, 60_000],
  [65_500, 1, 65_535],
])('for values up to %i the scale ends at a round number', (largest, current, end) => {
  expect(scaleEnd(largest, current)).toBe(end);
});

test('the end of the scale stays as long as it fits, so that colours keep their meaning', () => {
  expect(scaleEnd(25_000, 40_000)).toBe(40_000);
  expect(scaleEnd(39_999, 40_000)).toBe(40_000);
  expect(scaleEnd(19_000, 40_000)).toBe(20_000);
  expect(scaleEnd(40_001, 40_000)).toBe(50_000);
});
