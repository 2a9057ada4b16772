import { describe, expect, test } from 'vitest';
import { beamAt, beamReading, echoNear } from '../../src/live/beam-reading.js';
import type { ScanHistory, StoredScan } from '../../src/live/scan-history.js';
import { inTheMiddle, placementOf } from '../../src/plan/placement.js';
import { frameOf, historyOf } from './kept-scan.js';

/** Three beams, 0°, 45° and 90° to the left, with up to three echoes each; the second scan of its history. */
function someScan(properties?: Uint8Array, hasRssi = true) {
  const distance = [1000, 0, 3000, 0, 0, 0, 500, 600, 0];
  const frame = frameOf(distance, 3, { properties, ...(hasRssi ? {} : { rssi: undefined }) });
  const history = historyOf(frameOf([7000, 8000, 9000, 100]), frame);
  const scan = history.newest;
  if (scan === undefined) throw new Error('nothing was kept');
  return { history, scan };
}

const read = ({ history, scan }: { history: ScanHistory; scan: StoredScan }, beam: number) =>
  beamReading(history, scan, inTheMiddle, beam);

describe('a beam', () => {
  test('is read with its direction, its echoes by their places, and their strengths', () => {
    const some = someScan();
    expect(read(some, 0)).toMatchObject({
      beam: 0,
      azimuth: 0,
      echoes: [
        { echo: 1, rssi: 10, isReflector: false, isBlooming: false },
        { echo: 3, rssi: 12, isReflector: false, isBlooming: false },
      ],
    });
    expect(read(some, 0).echoes.map(({ distance }) => distance)).toEqual([1, 3]);
    expect(read(some, 1).echoes).toEqual([]);
    const last = read(some, 2);
    expect(last.azimuth).toBeCloseTo(Math.PI / 2);
    expect(last.echoes.map(({ distance, rssi }) => [distance.toFixed(1), rssi])).toEqual([
      ['0.5', 16],
      ['0.6', 17],
    ]);
  });

  test('has its echoes where they are on the plan', () => {
    const [, far] = read(someScan(), 0).echoes;
    expect(far?.point).toMatchObject({ x: 3, y: 0 });
    const { history, scan } = someScan();
    const moved = placementOf({ x: 1000, y: 2000, z: 0, yaw: 900_000, pitch: 0, roll: 0 });
    const [, turned] = beamReading(history, scan, moved, 0).echoes;
    expect(turned?.point.x).toBeCloseTo(1);
    expect(turned?.point.y).toBeCloseTo(5);
  });

  test('has no strengths if the scanner sends none', () => {
    expect(read(someScan(undefined, false), 0).echoes.map(({ rssi }) => rssi)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('has the mark of a reflector at its last echo, and of blooming at each echo that has it', () => {
    const some = someScan(Uint8Array.of(0b1010_0001, 0, 0b0100_0000));
    expect(read(some, 0).echoes.map(({ isReflector, isBlooming }) => [isReflector, isBlooming])).toEqual([
      [false, true],
      [true, true],
    ]);
    expect(read(some, 2).echoes.map(({ isReflector, isBlooming }) => [isReflector, isBlooming])).toEqual([
      [false, false],
      [false, true],
    ]);
  });

  test('that is nearest to a direction is found, the first of two that are equally near', () => {
    const { scan } = someScan();
    expect([-3, 0.1, 0.7, 0.9, 3].map((azimuth) => beamAt(scan, azimuth))).toEqual([0, 0, 1, 1, 2]);
  });
});

describe('the echo near a point', () => {
  test('is the nearest one within reach, of whichever beam', () => {
    const { history, scan } = someScan();
    const near = (x: number, y: number, reach = 0.3) => echoNear(history, scan, inTheMiddle, { x, y }, reach);
    expect(near(2.9, 0)).toMatchObject({ beam: 0, echo: 3 });
    expect(near(2.9, 0)?.gap).toBeCloseTo(0.1);
    expect(near(0, 0.54)).toMatchObject({ beam: 2, echo: 1 });
    expect(near(0, 0.57)).toMatchObject({ beam: 2, echo: 2 });
    expect(near(2, 0)).toBeUndefined();
    expect(near(2, 0, 1)).toMatchObject({ beam: 0, echo: 3 });
  });
});
