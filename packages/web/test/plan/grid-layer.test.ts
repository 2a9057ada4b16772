import { expect, test } from 'vitest';
import { gridLabel, gridLayer, gridSteps, roundAtLeast } from '../../src/plan/grid-layer.js';
import { initialViewport } from '../../src/plan/plan.js';
import { recordedPen } from './recorded-canvas.js';

test('lines are on whole steps, one pixel wide and sharp, and strong ones have labels in sight', () => {
  const { pen, of, done } = recordedPen();
  gridLayer.draw(pen);
  const { fine, strong } = gridSteps(100);
  const strongFrom = done.findIndex(([name, colour]) => name === 'strokeStyle =' && colour === 'grid-strong');
  const lines = done.slice(strongFrom).filter(([name]) => name === 'moveTo');
  // 4 m across and 2 m up, from the middle.
  const across = Math.floor(2 / strong) * 2 + 1;
  const up = Math.floor(1 / strong) * 2 + 1;
  expect(lines).toHaveLength(across + up);
  expect(lines).toContainEqual(['moveTo', 200.5, 0]);
  expect(lines).toContainEqual(['moveTo', 0, 100.5]);
  expect(of('moveTo').length - lines.length).toBe(
    Math.floor(2 / fine + 1e-9) * 2 + 1 + Math.floor(1 / fine + 1e-9) * 2 + 1,
  );
  expect(of('lineWidth =')).toEqual([
    ['lineWidth =', 1],
    ['lineWidth =', 1],
  ]);
  expect(of('globalAlpha =').map(([, alpha]) => alpha)).toEqual([0.6, 1]);
});

test('a label is kept away from the edges of the view, and lies on the colour of the view', () => {
  const { pen, of } = recordedPen({ ...initialViewport(400, 200), scale: 100 });
  gridLayer.draw(pen);
  const texts = of('fillText');
  expect(texts.length).toBeGreaterThan(3);
  for (const [, text, left, top] of texts) {
    const atLeft = left === 4;
    const place = Number(atLeft ? top : left);
    expect(place, String(text)).toBeGreaterThan(atLeft ? 12 : 48);
    expect(place, String(text)).toBeLessThan((atLeft ? 200 : 400) - 24);
    if (!atLeft) expect(top).toBe(190);
  }
  expect(texts).toContainEqual(['fillText', '0 m', 200, 190]);
  expect(texts).toContainEqual(['fillText', '0 m', 4, 100]);
  expect(of('fillRect')).toHaveLength(texts.length);
  expect(of('fillRect')).toContainEqual(['fillRect', 200 - 21 / 2 - 3, 182, 27, 16]);
});

test.each([1, 3, 7.5, 14, 20, 50, 99, 400, 2000])(
  'the lines of a grid are legible at %d pixels a metre',
  (scale) => {
    const { fine, strong } = gridSteps(scale);
    expect(fine * scale).toBeGreaterThanOrEqual(14 - 1e-9);
    expect(fine * scale).toBeLessThanOrEqual(2.5 * 14 + 1e-9);
    expect(strong * scale).toBeGreaterThan(50);
    const each = strong / fine;
    expect(Math.abs(each - Math.round(each))).toBeLessThan(1e-9);
  },
);

test('labels have as many digits as their step needs', () => {
  expect(gridLabel(5, 5)).toBe('5');
  expect(gridLabel(0.30000000000000004, 0.1)).toBe('0.3');
  expect(gridLabel(-0.05, 0.05)).toBe('−0.05');
  expect(gridLabel(-1e-17, 0.5)).toBe('0');
});

test('a bar that tells the scale has a round length', () => {
  expect(
    [0.06, 0.1, 0.3, 0.7, 1, 2.1, 60].map(roundAtLeast).map((metres) => Number(metres.toFixed(3))),
  ).toEqual([0.1, 0.1, 0.5, 1, 1, 5, 100]);
});
