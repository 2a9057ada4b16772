import type { Frame } from '@azimuth/client';
import { expect, test } from 'vitest';
import { historyTime, ScanHistory } from '../../src/live/scan-history.js';

function frame(number: number, distance: readonly number[], echoes = 1, more: Partial<Frame> = {}): Frame {
  const beams = distance.length / echoes;
  return {
    number,
    sender: 1,
    time: number * 1000,
    endTime: number * 1000 + 900,
    beams,
    echoes,
    azimuth: Float32Array.from({ length: beams }, (_, beam) => beam / 100),
    distance: Float32Array.from(distance),
    rssi: Uint16Array.from(distance, (_, place) => place + 10),
    properties: undefined,
    segments: [0],
    complete: true,
    ...more,
  };
}

/** The distances of a kept scan, in mm. */
function distancesOf(history: ScanHistory, place: number): number[] {
  const scan = history.scans[place];
  if (scan === undefined) return [];
  return [...history.distance.subarray(scan.firstEcho, scan.firstEcho + scan.echoes)].map((m) =>
    Math.round(m * 1000),
  );
}

test('a beam keeps the echoes that are there, with their places and strengths', () => {
  const history = new ScanHistory({ beams: 10, echoes: 30 });
  history.add(frame(1, [500, 0, 700, 0, 0, 0, 0, 900, 0], 3), 0);
  expect([...history.masks.subarray(0, 3)]).toEqual([0b101, 0, 0b010]);
  expect(distancesOf(history, 0)).toEqual([500, 700, 900]);
  expect([...history.rssi.subarray(0, 3)]).toEqual([10, 12, 17]);
});

test('scans with the same azimuths share their directions', () => {
  const history = new ScanHistory({ beams: 100, echoes: 100 });
  const one = history.add(frame(1, [1000, 1000]), 0);
  const two = history.add(frame(2, [1000, 2000]), 20);
  const other = history.add(frame(3, [1000, 2000], 1, { azimuth: Float32Array.of(1, 2) }), 40);
  expect(two?.directions).toBe(one?.directions);
  expect(other?.directions).not.toBe(one?.directions);
});

test('scans older than 60 s are forgotten', () => {
  const history = new ScanHistory({ beams: 100, echoes: 100 });
  history.add(frame(1, [1000]), 0);
  history.add(frame(2, [1000]), 1);
  history.add(frame(3, [1000]), historyTime + 1);
  expect(history.scans.map(({ number }) => number)).toEqual([2, 3]);
});

test('when the room is full, new scans take the place of the oldest, and each is whole', () => {
  const history = new ScanHistory({ beams: 10, echoes: 25 });
  for (let number = 1; number <= 200; number++) {
    const beams = 1 + (number % 4);
    history.add(frame(number, Array<number>(beams * 3).fill(number), 3), number);
    for (const [place, scan] of history.scans.entries()) {
      expect(distancesOf(history, place)).toEqual(Array(scan.beams * 3).fill(scan.number));
      expect(
        history.masks.subarray(scan.firstBeam, scan.firstBeam + scan.beams).every((mask) => mask === 7),
      ).toBe(true);
    }
    expect(history.newest?.number).toBe(number);
  }
  expect(history.scans.length).toBeGreaterThan(1);
});

test('a frame that is larger than the room is not kept, and does no harm', () => {
  const history = new ScanHistory({ beams: 4, echoes: 4 });
  history.add(frame(1, [1, 2]), 0);
  expect(history.add(frame(2, [1, 2, 3, 4, 5]), 1)).toBeUndefined();
  expect(history.scans.map(({ number }) => number)).toEqual([1]);
});

test('the scan of a time is the last one that is not newer', () => {
  const history = new ScanHistory({ beams: 100, echoes: 100 });
  for (const at of [10, 20, 30]) history.add(frame(at, [1000]), at);
  expect(history.placeAt(9)).toBe(-1);
  expect(history.placeAt(10)).toBe(0);
  expect(history.placeAt(29.9)).toBe(1);
  expect(history.placeAt(1000)).toBe(2);
});
