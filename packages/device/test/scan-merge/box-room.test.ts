import type { Point } from '@azimuth/test-support/pcd';
import { describe, expect, test } from 'vitest';
import { output, Recorder, source } from './recorder.js';

/** A room of 7 m by 5 m by 3 m: its faces, in mm from the scanner along x, y and z. No corner is in its blind sector. */
const low = [-2000, -2000, -1000] as const;
const high = [5000, 3000, 2000] as const;
const corners = [-2, 5].flatMap((x) => [-2, 3].flatMap((y) => [-1, 2].map((z) => [x, y, z] as const)));

/** Rate of roll in degrees a second: half a turn in 10 s covers everything. */
const speed = 18;
const seconds = 10;

/** End point in the room of a beam of a scanner that is rolled by an angle (rad): mm. */
function toBox(beam: number, roll: number): number {
  const direction = [
    Math.cos(beam),
    Math.sin(beam) * Math.cos(roll),
    Math.sin(beam) * Math.sin(roll),
  ] as const;
  const ends = direction.map((along, axis) => ((along < 0 ? low : high)[axis] ?? 0) / along);
  return Math.min(...ends.filter((end) => Number.isFinite(end)));
}

/** Distance of a point from the nearest face of the room: m. */
function offTheFaces({ x, y, z }: Point): number {
  const place = [x, y, z] as const;
  return Math.min(
    ...place.flatMap((value, axis) => [
      Math.abs(value - (low[axis] ?? 0) / 1000),
      Math.abs(value - (high[axis] ?? 0) / 1000),
    ]),
  );
}

function nearest(points: readonly Point[], [x, y, z]: readonly [number, number, number]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const point of points) least = Math.min(least, Math.hypot(point.x - x, point.y - y, point.z - z));
  return least;
}

/** Records the room with a scanner that lies level when that begins, and rolls about its x axis from there. */
async function rollingIn(set: (recorder: Recorder) => void): Promise<readonly Point[]> {
  const recorder = await Recorder.open();
  const { core, testDevice } = recorder;
  const began = testDevice.device.features.measuring.microseconds() / 1_000_000;
  const rollAt = (time: number) => ((time - began) * speed * Math.PI) / 180;
  core.echoes = {};
  core.distance = (beam, time) => toBox(beam, rollAt(time));
  core.orientation = (time) => [Math.cos(rollAt(time) / 2), Math.sin(rollAt(time) / 2), 0, 0];
  set(recorder);
  await recorder.record(seconds * 1000);
  return recorder.points();
}

describe('a room recorded by a scanner that rolls', () => {
  test.each([
    [
      'its encoder',
      (recorder: Recorder) => {
        recorder.count(1000);
        recorder.rotateBy(0, 0, speed / 1000);
      },
    ],
    ['its IMU', (recorder: Recorder) => recorder.set(output.ScanMergerSource, source.imu)],
  ])('has the right coordinates, set with %s', async (_, set) => {
    const points = await rollingIn(set);
    // 1105 beams, 20 Hz for 10 s.
    expect(points).toHaveLength(1105 * 200);
    expect(Math.max(...points.slice(0, 50_000).map(offTheFaces))).toBeLessThan(0.001);
    expect(Math.max(...points.slice(-50_000).map(offTheFaces))).toBeLessThan(0.001);
    // Beams are 0.25° and scans 0.9° apart: 9 cm at 6 m.
    for (const corner of corners) expect(nearest(points, corner), String(corner)).toBeLessThan(0.09);
  });
});
