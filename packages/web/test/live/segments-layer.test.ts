import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { segmentsLayer } from '../../src/live/segments-layer.js';
import { inTheMiddle } from '../../src/plan/placement.js';
import { recordedPen } from '../plan/recorded-canvas.js';
import { frameOf, historyOf } from './kept-scan.js';

test('a line goes along the first beam of each segment, and along the last beam of the scan', () => {
  const history = historyOf(frameOf([1, 1, 1, 1], 1, { segmentBeams: [0, 2] }));
  const layer = segmentsLayer({
    showsSegments: signal(true),
    sources: [{ placement: signal(inTheMiddle), scanAt: () => history.newest }],
    scans: signal(1),
    shownAt: signal(undefined),
  });
  const { pen, of } = recordedPen();
  layer.draw(pen);
  // Beams are 45° apart: ahead, to the left, and behind on the left.
  expect(
    of('lineTo').map(([, left, top]) => [Math.sign(Number(left) - 200), Math.sign(Number(top) - 100)]),
  ).toEqual([
    [0, -1],
    [-1, 0],
    [-1, 1],
  ]);
});
