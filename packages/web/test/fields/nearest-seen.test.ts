import type { Frame } from '@azimuth/client';
import { expect, test } from 'vitest';
import { areaOf } from '../../src/fields/contour.js';
import { NearestSeen } from '../../src/fields/nearest-seen.js';
import { ScanHistory } from '../../src/live/scan-history.js';
import { inTheMiddle } from '../../src/plan/placement.js';

const beams = 960;

/** A scan of 180° ahead whose beams measure so many mm; 0 for none. */
function frame(number: number, distanceOf: (beam: number) => number): Frame {
  return {
    number,
    sender: 1,
    time: number * 20_000,
    endTime: number * 20_000 + 10_000,
    beams,
    echoes: 1,
    azimuth: Float32Array.from({ length: beams }, (_, beam) => -Math.PI / 2 + (Math.PI * beam) / (beams - 1)),
    distance: Float32Array.from({ length: beams }, (_, beam) => distanceOf(beam)),
    rssi: undefined,
    properties: undefined,
    segments: [0],
    complete: true,
  };
}

function history(): ScanHistory {
  return new ScanHistory({ beams: 100_000, echoes: 100_000 });
}

/** m². @param inFront mm */
function area(seen: NearestSeen, inFront = 0): number {
  return areaOf(seen.contour(inTheMiddle, inFront)) / 1e6;
}

test('nothing was seen yet', () => {
  expect(new NearestSeen(0).contour(inTheMiddle, 50)).toEqual([]);
});

test('the area reaches up to what was seen nearest since it began', () => {
  const scans = history();
  scans.add(
    frame(1, () => 500),
    90,
  );
  const seen = new NearestSeen(100);
  scans.add(
    frame(2, () => 3000),
    120,
  );
  scans.add(
    frame(3, () => 2000),
    140,
  );
  seen.add(scans);
  // Half a circle of 2 m, a little less as its arc has straight sides.
  expect(area(seen)).toBeCloseTo(2 * Math.PI, 1);
  scans.add(
    frame(4, (beam) => (beam < beams / 2 ? 1000 : 4000)),
    160,
  );
  seen.add(scans);
  expect(area(seen)).toBeCloseTo(Math.PI / 4 + Math.PI, 0);
});

test('a direction in which nothing was seen reaches as far as the longest', () => {
  const scans = history();
  const seen = new NearestSeen(0);
  scans.add(
    frame(1, (beam) => (beam < 480 ? 0 : 2000)),
    20,
  );
  seen.add(scans);
  expect(area(seen)).toBeCloseTo(2 * Math.PI, 1);
});

test('the area ends before what was seen, as far as teach-in is set to keep, and never at the scanner', () => {
  const scans = history();
  const seen = new NearestSeen(0);
  scans.add(
    frame(1, () => 3000),
    20,
  );
  seen.add(scans);
  expect(area(seen, 1000)).toBeCloseTo(2 * Math.PI, 1);
  const reaches = seen.contour(inTheMiddle, 5000).slice(1);
  for (const { x, y } of reaches) expect(Math.abs(Math.hypot(x, y) - 50)).toBeLessThan(1.5);
});
