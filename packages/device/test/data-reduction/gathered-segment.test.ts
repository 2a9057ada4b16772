import { describe, expect, test } from 'vitest';
import { GatheredSegment } from '../../src/data-reduction/output-segments.js';
import type { Scan } from '../../src/scan/scan.js';
import { type Echo, fan, scanOf } from '../filter/hand-made-scan.js';

const reflector = 1;
const blooming = 2;
/** Beams at -3° to 2°, 250 µs apart: 1,000,000 / (360 × 11.111…). */
const geometry = fan(6, { firstAngle: -3, frequency: 100 / 9 });

function gathered(scan: Scan, outputBeams: readonly number[], echoes = 3): GatheredSegment {
  const segment = new GatheredSegment(geometry, {
    index: 4,
    last: true,
    outputBeams: Int32Array.from(outputBeams),
    echoes,
    scale: 2,
    end: 6,
  });
  segment.gather(scan);
  return segment;
}

function seen(beams: readonly (readonly Echo[])[], number = 77, time = 0): Scan {
  const scan = scanOf(beams, { number, geometry });
  scan.time = time;
  return scan;
}

describe('a segment that is put out', () => {
  test('gathers the echoes of its beams', () => {
    const beams: Echo[][] = [
      [[1, 10]],
      [[2, 20]],
      [],
      [
        [4.5, 40],
        [5, 50],
        [6, 60],
      ],
      [
        [7, 70],
        [8, 80],
      ],
    ];
    const segment = gathered(seen(beams), [1, 3, 4]);
    expect(segment).toMatchObject({ frame: 77, index: 4, last: true, beams: 3, echoes: 3, scale: 2 });
    expect([...segment.distance]).toEqual([2, 0, 0, 4.5, 5, 6, 7, 8, 0]);
    expect([...segment.rssi]).toEqual([20, 0, 0, 40, 50, 60, 70, 80, 0]);
  });

  test('has one place a beam where one echo is put out', () => {
    const beams: Echo[][] = [[[1, 10]], [[2, 20, blooming]], [], [[4, 40, reflector]]];
    const segment = gathered(seen(beams), [0, 1, 2, 3], 1);
    expect(segment.echoes).toBe(1);
    expect([...segment.distance]).toEqual([1, 2, 0, 4]);
    expect([...segment.rssi]).toEqual([10, 20, 0, 40]);
    expect([...segment.properties]).toEqual([0, 32, 0, 1]);
  });

  test('has the reflector of any echo, and the blooming of each', () => {
    const beams: Echo[][] = [
      [[1, 1, reflector]],
      [[1, 1, reflector], [2]],
      [[1], [2, 1, reflector]],
      [
        [1, 1, blooming],
        [2, 1, blooming],
        [3, 1, blooming],
      ],
      [[1], [2, 1, blooming], [3, 1, reflector]],
      [[1], [2], [3, 1, blooming | reflector]],
    ];
    // 32 is bit 5, 64 bit 6, 128 bit 7.
    expect([...gathered(seen(beams), [0, 1, 2, 3, 4, 5]).properties]).toEqual([1, 1, 1, 224, 65, 129]);
  });

  test('has the times of the beams that are put out in whole µs', () => {
    const segment = gathered(seen([], 1, 1_000_000.6), [1, 4]);
    expect(segment.firstBeamTime).toBe(1_000_251);
    expect(segment.lastBeamTime).toBe(1_001_001);
    expect(segment.dueAfter).toBe(1250);
    expect(gathered(seen([], 1, 1_000_000.4), [1, 4])).toMatchObject({
      firstBeamTime: 1_000_250,
      lastBeamTime: 1_001_000,
    });
  });

  test('has the azimuths of the beams that are put out in rad', () => {
    const segment = gathered(seen([]), [0, 3, 5]);
    expect(segment.firstAzimuth).toBeCloseTo(-0.052359878, 9);
    expect(segment.lastAzimuth).toBeCloseTo(0.034906585, 9);
    expect([...segment.azimuth]).toEqual([Math.fround(-Math.PI / 60), 0, Math.fround(Math.PI / 90)]);
  });

  test('forgets the scan before', () => {
    const segment = gathered(
      seen([
        [
          [1, 1, 3],
          [2, 1, 3],
          [3, 1, 3],
        ],
      ]),
      [0, 1],
    );
    segment.gather(seen([[], [[5, 6]]], 78));
    expect(segment.frame).toBe(78);
    expect([...segment.distance]).toEqual([0, 0, 0, 5, 0, 0]);
    expect([...segment.rssi]).toEqual([0, 0, 0, 6, 0, 0]);
    expect([...segment.properties]).toEqual([0, 0]);
  });
});
