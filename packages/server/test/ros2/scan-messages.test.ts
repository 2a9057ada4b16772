import { EchoFlag, Scan } from '@azimuth/device';
import type { ScanContent } from '@azimuth/device/ros2';
import { decodeLaserScan, decodeMultiEchoLaserScan, decodePointCloud } from '@azimuth/telegrams/ros2';
import { expect, test } from 'vitest';
import { ScanMessages } from '../../src/ros2/scan-messages.js';

const geometry = { frequency: 10, firstAngle: -90, step: 30, beams: 7, beamsPerSegment: 7 };
const header = { stamp: 5_000_000, frameId: 'laser' };
const buffer = (bytes: number) => new Uint8Array(bytes);

function contentOf(change: Partial<ScanContent> = {}): ScanContent {
  return {
    geometry,
    visible: { first: 0, end: 7 },
    increment: 1,
    echoes: 3,
    every: 1,
    rangeMax: 65.535,
    ...change,
  };
}

/** A scan whose beam n has echoes at n m, and the fourth beam a second one at 9 m, of a reflector. */
function scanned(): Scan {
  const scan = new Scan(geometry);
  for (let beam = 0; beam < geometry.beams; beam++) {
    scan.distance[3 * beam] = beam * 1000;
    scan.rssi[3 * beam] = beam;
  }
  scan.distance[10] = 9000;
  scan.rssi[10] = 99;
  scan.flags[10] = EchoFlag.reflector;
  return scan;
}

const infinity = Number.POSITIVE_INFINITY;

test('an echo beyond range_max is left out of all messages', () => {
  const scan = scanned();
  scan.distance[3 * 4] = 65_535;
  scan.distance[3 * 5] = 65_536;
  scan.distance[3 * 6] = Number.NaN;
  const messages = new ScanMessages(contentOf());
  const laserScan = decodeLaserScan(messages.laserScan(scan, 0, header, buffer));
  expect(laserScan.ranges[4]).toBeCloseTo(laserScan.rangeMax, 3);
  expect([...laserScan.ranges.slice(5)]).toEqual([infinity, infinity]);
  expect([...laserScan.intensities.slice(4)]).toEqual([4, 0, 0]);
  const multiEcho = decodeMultiEchoLaserScan(messages.multiEcho(scan, header, buffer));
  expect([...multiEcho.counts]).toEqual([1, 1, 1, 2, 1, 1, 1]);
  // Beams 1, 2, 3 (two echoes) and 4.
  expect(decodePointCloud(messages.pointCloud(scan, header, buffer)).width).toBe(5);
});

test('a LaserScan has the visible beams, at equal steps', () => {
  const messages = new ScanMessages(contentOf({ visible: { first: 1, end: 7 }, increment: 2, every: 3 }));
  const scan = decodeLaserScan(messages.laserScan(scanned(), 0, header, buffer));
  expect([...scan.ranges]).toEqual([1, 3, 5]);
  expect([...scan.intensities]).toEqual([1, 3, 5]);
  expect(scan.angleMin).toBeCloseTo(-Math.PI / 3);
  expect(scan.angleMax).toBeCloseTo(Math.PI / 3);
  expect(scan.angleIncrement).toBeCloseTo(Math.PI / 3);
  // A step of 30° takes a twelfth of a revolution.
  expect(scan.timeIncrement).toBeCloseTo(2 / 12 / 10);
  expect(scan.scanTime).toBeCloseTo(0.3);
  expect(messages.firstBeamAfter).toBeCloseTo(1_000_000 / 12 / 10);
});

test('a beam without an echo is at infinity', () => {
  const messages = new ScanMessages(contentOf());
  expect([...decodeLaserScan(messages.laserScan(scanned(), 1, header, buffer)).ranges]).toEqual([
    infinity,
    infinity,
    infinity,
    9,
    infinity,
    infinity,
    infinity,
  ]);
});

test('a MultiEchoLaserScan has the echoes of each beam, or one at infinity', () => {
  const messages = new ScanMessages(contentOf());
  const scan = decodeMultiEchoLaserScan(messages.multiEcho(scanned(), header, buffer));
  expect([...scan.counts]).toEqual([1, 1, 1, 2, 1, 1, 1]);
  expect(scan.ranges[0]).toBe(infinity);
  expect([...scan.ranges.slice(6, 8)]).toEqual([3, 9]);
  expect([...scan.intensities.slice(6, 8)]).toEqual([3, 99]);
});

test('a PointCloud2 has a point for each echo, and none where nothing was seen', () => {
  const messages = new ScanMessages(contentOf());
  const cloud = decodePointCloud(messages.pointCloud(scanned(), header, buffer));
  expect(cloud.width).toBe(7);
  const view = new DataView(cloud.data.buffer, cloud.data.byteOffset);
  const point = (index: number) => {
    const at = index * cloud.pointStep;
    const [x, y] = [view.getFloat32(at, true), view.getFloat32(at + 4, true)];
    return [x, y, view.getUint32(at + 16, true), view.getUint8(at + 20), view.getUint8(at + 21)];
  };
  const [x, y, time] = point(0);
  expect([x, y]).toEqual([expect.closeTo(Math.cos(Math.PI / 3)), expect.closeTo(-Math.sin(Math.PI / 3))]);
  expect(time).toBe(Math.round(1e9 / 12 / 10));
  // Straight ahead: two echoes of one beam.
  expect(point(2)).toEqual([3, 0, 25_000_000, 0, 0]);
  expect(point(3)).toEqual([9, 0, 25_000_000, 1, 1]);
});

test('with an echo filter there is one place for each beam', () => {
  const messages = new ScanMessages(contentOf({ echoes: 1 }));
  expect(decodePointCloud(messages.pointCloud(scanned(), header, buffer)).width).toBe(6);
  expect([...decodeMultiEchoLaserScan(messages.multiEcho(scanned(), header, buffer)).counts]).toEqual(
    new Array(7).fill(1),
  );
});
