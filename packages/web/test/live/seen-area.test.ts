import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { ScanHistory } from '../../src/live/scan-history.js';
import { drawSeen, type SeenBy } from '../../src/live/scan-layer.js';
import { inTheMiddle, placementOf } from '../../src/plan/placement.js';
import { recordedPen } from '../plan/recorded-canvas.js';
import { frameOf, historyOf } from './kept-scan.js';

/** Scanners that see this, as the live view has them. */
function seenBy(colouring: 'scanner' | 'strength', ...histories: readonly ScanHistory[]): SeenBy {
  const sources = histories.map((history, index) => ({
    history,
    placement: signal(
      index === 0 ? inTheMiddle : placementOf({ x: 1000, y: 0, z: 0, yaw: 0, pitch: 0, roll: 0 }),
    ),
    scanAt: (at: number | undefined) =>
      at === undefined ? history.newest : history.scans[history.placeAt(at)],
  }));
  return { sources, colouring: signal(colouring), shownAt: signal<number | undefined>(undefined) };
}

/** Corners of the areas that are drawn, in pixels: the scanner is at 200, 100, and a metre is 100 pixels. */
function cornersOf(...histories: readonly ScanHistory[]) {
  const { pen, of } = recordedPen();
  drawSeen(seenBy('strength', ...histories), pen);
  return of('moveTo', 'lineTo').map(([, ...place]) => place);
}

const quarters = (count: number) => ({
  azimuth: Float32Array.from({ length: count }, (_, beam) => (beam * Math.PI) / 2),
});

test('the area goes from the scanner to the first echo of each beam', () => {
  const frame = frameOf([1000, 1500, 500, 0], 2, quarters(2));
  expect(cornersOf(historyOf(frameOf([100, 100]), frame))).toEqual([
    [200, 100],
    [200, 0],
    [150, 100],
  ]);
});

test('single beams without an echo are spanned, and three of them are a gap', () => {
  const eighths = { azimuth: new Float32Array(6) };
  const across = (...distance: readonly number[]) => cornersOf(historyOf(frameOf(distance, 1, eighths)));
  expect(across(1000, 0, 0, 500, 500, 500)).toEqual([
    [200, 100],
    ...[0, 50, 50, 50].map((top) => [200, top]),
  ]);
  expect(across(1000, 0, 0, 0, 500, 500)).toEqual([[200, 100], ...[0, 100, 50, 50].map((top) => [200, top])]);
  expect(across(1000, 0, 0, 0, 0, 500)).toEqual([[200, 100], ...[0, 100, 50].map((top) => [200, top])]);
});

test('of very many beams, every second one is a corner, or fewer', () => {
  const many = (beams: number) =>
    cornersOf(
      historyOf(frameOf(new Array<number>(beams).fill(1000), 1, { azimuth: new Float32Array(beams) })),
    ).length - 1;
  expect([many(900), many(1000)]).toEqual([900, 1000]);
});

test('each scanner has its area at its place, in its colour if colours tell scanners apart', () => {
  const history = historyOf(frameOf([1000, 1000], 1, quarters(2)));
  for (const [colouring, expected] of [
    ['scanner', ['accent', 'warn']],
    ['strength', ['accent', 'accent']],
  ] as const) {
    const { pen, of, done } = recordedPen();
    drawSeen(seenBy(colouring, history, history), pen);
    expect(of('fillStyle =').map(([, colour]) => colour)).toEqual(expected);
    expect(of('moveTo')).toEqual([
      ['moveTo', 200, 100],
      ['moveTo', 200, 0],
    ]);
    expect(of('fill')).toHaveLength(2);
    // Below what is there already, and what comes next is drawn as ever.
    expect(done.slice(0, 2)).toEqual([
      ['globalAlpha =', 0.07],
      ['globalCompositeOperation =', 'destination-over'],
    ]);
    expect(done.slice(-2)).toEqual([
      ['globalCompositeOperation =', 'source-over'],
      ['globalAlpha =', 1],
    ]);
  }
});

test('a scanner without a scan has no area', () => {
  const { pen, of } = recordedPen();
  drawSeen(seenBy('scanner', historyOf()), pen);
  expect(of('fill')).toEqual([]);
});
