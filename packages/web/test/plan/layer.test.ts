import { expect, test } from 'vitest';
import { pixelRatioOf } from '../../src/plan/floor-plan.js';
import { initialViewport } from '../../src/plan/plan.js';

const laptop = initialViewport(900, 560);
const large = initialViewport(2200, 1300);

test('a layer has the pixels of the screen, up to two a CSS pixel', () => {
  expect(pixelRatioOf({}, laptop, 1)).toBe(1);
  expect(pixelRatioOf({}, laptop, 2)).toBe(2);
  expect(pixelRatioOf({}, laptop, 3)).toBe(2);
  expect(pixelRatioOf({}, large, 2)).toBe(2);
});

test('a layer that is drawn with each scan has a limit of pixels, but at least one a CSS pixel', () => {
  const ratio = pixelRatioOf({ isLively: true }, large, 2);
  expect(ratio).toBeGreaterThan(1);
  expect(ratio * ratio * 2200 * 1300).toBeCloseTo(3_000_000);
  expect(pixelRatioOf({ isLively: true }, laptop, 2)).toBe(2);
  expect(pixelRatioOf({ isLively: true }, initialViewport(3800, 2000), 2)).toBe(1);
  expect(pixelRatioOf({ isLively: true }, initialViewport(3800, 2000), 1)).toBe(1);
});
