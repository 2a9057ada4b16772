import { EchoFlag, Scan } from '@azimuth/device';
import type { ScanContent } from '@azimuth/device/ros2';
import { mountingPosition } from '@azimuth/model';
import { decodeLaserScan, decodeMultiEchoLaserScan, decodePointCloud } from '@azimuth/telegrams/ros2';
import { expect, test } from 'vitest';
import { type Choice, ScanMessages } from '../../src/ros2/scan-messages.js';

const geometry = { frequency: 10, firstAngle: -90, step: 30, beams: 7, beamsPerSegment: 3 };
const header = { stamp: 5_000_000, frameId: 'laser' };
const buffer = (bytes: number) => new Uint8Array(bytes);

function contentOf(change: Partial<ScanContent> = {}): ScanContent {
  return {
    geometry,
    visible: { first: 0, end: 7 },
    segments: [],
    increment: 1,
    echoes: 3,
    every: 1,
    rangeMax: 65.535,
    position: mountingPosition.members.SensorPosition.type.initial,
    ...change,
  };
}

/** A scan whose beam n has an echo at n m of n tenths of all strength, and the fourth a second one at 9 m, of a reflector. */
function scanned(): Scan {
  const scan = new Scan(geometry);
  for (let beam = 0; beam < geometry.beams; beam++) {
    scan.distance[3 * beam] = beam * 1000;
    scan.rssi[3 * beam] = beam * 6553.5;
  }
  scan.distance[10] = 9000;
  scan.rssi[10] = 65_278;
  scan.flags[10] = EchoFlag.reflector;
  return scan;
}

const infinity = Number.POSITIVE_INFINITY;

const rounded = (values: Iterable<number>) => Array.from(values, (value) => Math.round(value * 1000) / 1000);

/** The points of a cloud: x, y, z, i and p. */
function pointsOf(message: Uint8Array): readonly (readonly number[])[] {
  const { data, width, pointStep } = decodePointCloud(message);
  const view = new DataView(data.buffer, data.byteOffset);
  return Array.from({ length: width }, (_, index) => {
    const at = index * pointStep;
    const floats = [0, 4, 8, 12].map((offset) => view.getFloat32(at + offset, true));
    return [...rounded(floats), view.getUint8(at + 16)];
  });
}

test('an echo beyond range_max is left out of all messages', () => {
  const scan = scanned();
  scan.distance[3 * 4] = 65_535;
  scan.distance[3 * 5] = 65_536;
  scan.distance[3 * 6] = Number.NaN;
  const messages = new ScanMessages(contentOf());
  const laserScan = decodeLaserScan(messages.laserScan(scan, 0, header, buffer));
  expect(laserScan.ranges[4]).toBeCloseTo(laserScan.rangeMax, 3);
  expect([...laserScan.ranges.slice(5)]).toEqual([infinity, infinity]);
  expect(rounded(laserScan.intensities.slice(4))).toEqual([0.4, 0, 0]);
  const multiEcho = decodeMultiEchoLaserScan(messages.multiEcho(scan, header, buffer));
  expect([...multiEcho.counts]).toEqual([0, 1, 1, 2, 1, 0, 0]);
  // Beams 1, 2, 3 (two echoes) and 4.
  expect(pointsOf(messages.pointCloud(scan, {}, header, buffer))).toHaveLength(5);
});

test('a LaserScan has the visible beams, at equal steps, and intensities from 0 to 1', () => {
  const messages = new ScanMessages(contentOf({ visible: { first: 1, end: 7 }, increment: 2, every: 3 }));
  const scan = decodeLaserScan(messages.laserScan(scanned(), 0, header, buffer));
  expect([...scan.ranges]).toEqual([1, 3, 5]);
  expect(rounded(scan.intensities)).toEqual([0.1, 0.3, 0.5]);
  expect(scan.angleMin).toBeCloseTo(-Math.PI / 3);
  expect(scan.angleMax).toBeCloseTo(Math.PI / 3);
  expect(scan.angleIncrement).toBeCloseTo(Math.PI / 3);
  // A step of 30° takes a twelfth of a revolution.
  expect(scan.timeIncrement).toBeCloseTo(2 / 12 / 10);
  expect(scan.scanTime).toBeCloseTo(0.3);
  expect(messages.firstBeamAfter).toBeCloseTo(1_000_000 / 12 / 10);
});

test('a LaserScan of a segment has its beams, with the step of the whole scan', () => {
  const content = contentOf({ visible: { first: 1, end: 7 }, increment: 2 });
  const part = (first: number, end: number) => {
    const messages = new ScanMessages(content, { first, end });
    return decodeLaserScan(messages.laserScan(scanned(), 0, header, buffer));
  };
  expect([part(0, 3), part(3, 6), part(6, 7)].map(({ ranges }) => [...ranges])).toEqual([[1], [3, 5], []]);
  expect(part(3, 6).angleMin).toBeCloseTo(0);
  expect(part(3, 6).angleMax).toBeCloseTo(Math.PI / 3);
  expect(part(3, 6).angleIncrement).toBeCloseTo(Math.PI / 3);
});

test('a beam without an echo is at infinity, and a reflector has the intensity 1.05', () => {
  const messages = new ScanMessages(contentOf());
  const scan = decodeLaserScan(messages.laserScan(scanned(), 1, header, buffer));
  expect([...scan.ranges]).toEqual([infinity, infinity, infinity, 9, infinity, infinity, infinity]);
  expect(rounded(scan.intensities)).toEqual([0, 0, 0, 1.05, 0, 0, 0]);
});

test('a MultiEchoLaserScan has the echoes of each beam, and none where nothing was seen', () => {
  const messages = new ScanMessages(contentOf());
  const scan = decodeMultiEchoLaserScan(messages.multiEcho(scanned(), header, buffer));
  expect([...scan.counts]).toEqual([0, 1, 1, 2, 1, 1, 1]);
  expect([...scan.ranges.slice(6, 8)]).toEqual([3, 9]);
  expect(rounded(scan.intensities.slice(6, 8))).toEqual([0.3, 1.05]);
});

test('a PointCloud2 has a point for each echo with its strength from 0 to 1, and says which are reflectors', () => {
  const messages = new ScanMessages(contentOf());
  const points = pointsOf(messages.pointCloud(scanned(), {}, header, buffer));
  expect(points).toHaveLength(7);
  expect(points[0]).toEqual([0.5, -0.866, 0, 0.1, 0]);
  // Straight ahead: two echoes of one beam.
  expect(points.slice(2, 4)).toEqual([
    [3, 0, 0, 0.3, 0],
    [9, 0, 0, 0.996, 1],
  ]);
});

test('a PointCloud2 of one echo, or of reflectors, has only these; it may be empty', () => {
  const messages = new ScanMessages(contentOf());
  const cloud = (choice: Choice, scan = scanned()) =>
    pointsOf(messages.pointCloud(scan, choice, header, buffer));
  expect(cloud({ echo: 0 })).toHaveLength(6);
  expect(cloud({ echo: 1 })).toEqual([[9, 0, 0, 0.996, 1]]);
  expect(cloud({ echo: 2 })).toEqual([]);
  expect(cloud({ reflectorsOnly: true })).toEqual([[9, 0, 0, 0.996, 1]]);
  expect(cloud({ reflectorsOnly: true }, new Scan(geometry))).toEqual([]);
});

test('SensorPosition moves the points of a PointCloud2, and no scan', () => {
  // Upside down would be a roll; here the scanner points to the left, from 2 m ahead and 0.5 m up.
  const position = { x: 2000, y: 0, z: 500, yaw: 900_000, pitch: 0, roll: 0 };
  const messages = new ScanMessages(contentOf({ position }));
  const [first] = pointsOf(messages.pointCloud(scanned(), { reflectorsOnly: true }, header, buffer));
  expect(first).toEqual([2, 9, 0.5, 0.996, 1]);
  const [moved, usual] = [messages, new ScanMessages(contentOf())].map((one) =>
    one.laserScan(scanned(), 0, header, buffer),
  );
  expect(moved).toEqual(usual);
});

test('with an echo filter there is one place for each beam', () => {
  const messages = new ScanMessages(contentOf({ echoes: 1 }));
  expect(pointsOf(messages.pointCloud(scanned(), {}, header, buffer))).toHaveLength(6);
  const { counts } = decodeMultiEchoLaserScan(messages.multiEcho(scanned(), header, buffer));
  expect([...counts]).toEqual([0, 1, 1, 1, 1, 1, 1]);
});

test('without a visible beam, messages are empty', () => {
  const messages = new ScanMessages(contentOf({ visible: { first: 0, end: 0 } }));
  expect(decodeLaserScan(messages.laserScan(scanned(), 0, header, buffer)).ranges).toHaveLength(0);
  expect(pointsOf(messages.pointCloud(scanned(), {}, header, buffer))).toEqual([]);
});
