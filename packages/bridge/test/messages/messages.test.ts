import {
  imuOf,
  laserScanOf,
  messageSchemas,
  multiEchoLaserScanOf,
  pointCloudOf,
  stampOfFrame,
  stampOfTelegram,
  transformsOf,
} from '@azimuth/bridge/messages';
import type { Frame } from '@azimuth/client';
import {
  decodeImuMessage,
  decodeLaserScan,
  decodeMultiEchoLaserScan,
  decodePointCloud,
  decodeTransforms,
} from '@azimuth/telegrams/ros2';
import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import { expect, test } from 'vitest';

const header = { stamp: 1_700_000_000_250_000, frameId: 'scanner' };

/** Three beams of 10° with two places for echoes. The second beam is of a reflector, the third one saw nothing. */
const frame: Frame = {
  number: 1,
  sender: 7,
  time: 1_000_000,
  endTime: 1_002_000,
  beams: 3,
  echoes: 2,
  azimuth: Float32Array.of(-0.1, 0, 0.1),
  distance: Float32Array.of(1000, 2000, 3000, 0, 0, 0),
  rssi: Uint16Array.of(65_535, 0, 13_107, 0, 0, 0),
  properties: Uint8Array.of(0, 1, 0),
  segments: [0],
  complete: true,
};

test('a LaserScan has one echo of each beam, and its angles and times', () => {
  const scan = decodeLaserScan(laserScanOf(frame, 0, header));
  expect(scan).toMatchObject(header);
  expect([...scan.ranges]).toEqual([1, 3, Number.POSITIVE_INFINITY]);
  expect([...scan.intensities]).toEqual([1, Math.fround(1.05), 0]);
  expect(scan.angleMin).toBeCloseTo(-0.1);
  expect(scan.angleIncrement).toBeCloseTo(0.1);
  expect(scan.timeIncrement).toBeCloseTo(0.001);
  expect(scan.scanTime).toBeCloseTo(0.0628);
  expect([...decodeLaserScan(laserScanOf(frame, 1, header)).ranges]).toEqual([2, Infinity, Infinity]);
  expect([...decodeLaserScan(laserScanOf(frame, 2, header)).ranges]).toEqual([Infinity, Infinity, Infinity]);
});

test('a scan during which the clock was set has no duration', () => {
  for (const endTime of [0, 2 ** 60, Number.NaN]) {
    const { timeIncrement, scanTime } = decodeLaserScan(laserScanOf({ ...frame, endTime }, 0, header));
    expect([timeIncrement, scanTime]).toEqual([0, 0]);
  }
});

test('a scanner that sends no signal strengths has no intensities', () => {
  const scan = decodeLaserScan(laserScanOf({ ...frame, rssi: undefined }, 0, header));
  expect(scan.intensities).toHaveLength(0);
});

test('places of a lost segment are not a number in a LaserScan, and empty in a MultiEchoLaserScan', () => {
  const azimuth = Float32Array.of(0, 0.1, 0.2, 0.6, 0.7);
  const distance = Float32Array.of(1000, 2000, 3000, 4000, 5000);
  const gap = { ...frame, beams: 5, echoes: 1, azimuth, distance, rssi: undefined, properties: undefined };
  const { ranges, angleMax } = decodeLaserScan(laserScanOf(gap, 0, header));
  expect([...ranges]).toEqual([1, 2, 3, NaN, NaN, NaN, 4, 5]);
  expect(angleMax).toBeCloseTo(0.7);
  const all = decodeMultiEchoLaserScan(multiEchoLaserScanOf(gap, header));
  expect([...all.counts]).toEqual([1, 1, 1, 0, 0, 0, 1, 1]);
});

test('angles that no scanner has make no endless scan', () => {
  const azimuth = Float32Array.of(0, 1e-30, 1e30, NaN, Infinity);
  const wild = { ...frame, beams: 5, echoes: 1, azimuth, distance: new Float32Array(5).fill(1000) };
  const { ranges } = decodeLaserScan(laserScanOf({ ...wild, rssi: undefined }, 0, header));
  expect(ranges.length).toBeLessThanOrEqual(65_536);
  expect(decodePointCloud(pointCloudOf({ ...wild, rssi: undefined }, header)).width).toBe(3);
});

test('distances that are no distance are no echo', () => {
  const distance = Float32Array.of(NaN, -1, Infinity, 131_071, 131_070, 0);
  const scan = decodeMultiEchoLaserScan(multiEchoLaserScanOf({ ...frame, distance }, header));
  expect([...scan.counts]).toEqual([0, 0, 1]);
  expect(decodePointCloud(pointCloudOf({ ...frame, distance }, header)).width).toBe(1);
});

test('a point cloud has a point for each echo, and a choice of them', () => {
  const points = (bytes: Uint8Array) => {
    const { data, width, pointStep } = decodePointCloud(bytes);
    const view = new DataView(data.buffer, data.byteOffset);
    return Array.from({ length: width }, (_, index) => {
      const at = index * pointStep;
      return [view.getFloat32(at, true), view.getFloat32(at + 4, true), view.getUint8(at + 16)];
    });
  };
  expect(points(pointCloudOf(frame, header)).map(([, , bits]) => bits)).toEqual([0, 0, 1]);
  expect(points(pointCloudOf(frame, header, { reflectorsOnly: true }))).toEqual([[3, 0, 1]]);
  const [[x = 0, y = 0] = []] = points(pointCloudOf(frame, header, { echo: 1 }));
  expect([x, y]).toEqual(
    [Math.fround(2 * Math.cos(-0.1)), Math.fround(2 * Math.sin(-0.1))].map((n) => expect.closeTo(n, 5)),
  );
});

test('an empty frame makes empty messages', () => {
  const empty: Frame = {
    ...frame,
    ...{ beams: 0, azimuth: new Float32Array(), distance: new Float32Array(), rssi: undefined },
  };
  expect(decodeLaserScan(laserScanOf(empty, 0, header)).ranges).toHaveLength(0);
  expect(decodePointCloud(pointCloudOf(empty, header)).width).toBe(0);
});

test('a rotation by yaw, pitch and roll turns about z, then y, then x of the rotated axes', () => {
  const turn = { x: 1000, y: -2000, z: 500, yaw: 900_000, pitch: 0, roll: 0 };
  const [yawed] = decodeTransforms(transformsOf(turn, { ...header, frameId: 'world' }, 'scanner'));
  expect(yawed).toMatchObject({ frameId: 'world', childFrameId: 'scanner', translation: [1, -2, 0.5] });
  const half = expect.closeTo(Math.SQRT1_2);
  expect(yawed?.rotation).toEqual([half, 0, 0, half]);
  const both = { ...turn, pitch: 900_000 };
  const [one] = decodeTransforms(transformsOf(both, header, 'scanner'));
  // Rz(90°) · Ry(90°): x goes to -z, and y to -x.
  expect(one?.rotation).toEqual([0.5, -0.5, 0.5, 0.5].map((part) => expect.closeTo(part)));
});

test('the stamp is the time of the scanner if it is synchronised, or else that of reception', () => {
  const synchronised = { ...frame, time: 1_700_000_000_000_000, endTime: 1_700_000_000_018_000 };
  expect(stampOfFrame(synchronised, 1_700_000_000_020_000)).toBe(1_700_000_000_000_000);
  expect(stampOfFrame(frame, 1_700_000_000_020_000)).toBe(1_700_000_000_018_000);
  expect(stampOfFrame({ ...frame, endTime: 2 ** 60 }, 1_700_000_000_020_000)).toBe(1_700_000_000_020_000);
  expect(stampOfFrame({ ...synchronised, time: 0 }, 1_700_000_000_020_000)).toBe(1_700_000_000_018_000);
  expect(stampOfTelegram(5, 1_700_000_000_020_000)).toBe(1_700_000_000_020_000);
  expect(stampOfTelegram(1_700_000_000_000_000, 1_700_000_000_020_000)).toBe(1_700_000_000_000_000);
});

test('definitions and bytes agree: a reader of others decodes them by the schema', () => {
  const read = (schema: { readonly definition: string }, bytes: Uint8Array): unknown =>
    new MessageReader(parse(schema.definition, { ros2: true })).readMessage(bytes);
  const { laserScan, multiEchoLaserScan, pointCloud, imu, transforms } = messageSchemas;
  const stamp = { sec: 1_700_000_000, nanosec: 250_000_000 };
  const expected = { header: { stamp, frame_id: 'scanner' } };
  expect(read(laserScan, laserScanOf(frame, 0, header))).toMatchObject({
    ...expected,
    ranges: Float32Array.of(1, 3, Number.POSITIVE_INFINITY),
  });
  expect(read(multiEchoLaserScan, multiEchoLaserScanOf(frame, header))).toMatchObject({
    ...expected,
    ranges: [
      { echoes: Float32Array.of(1, 2) },
      { echoes: Float32Array.of(3) },
      { echoes: new Float32Array() },
    ],
  });
  expect(read(pointCloud, pointCloudOf(frame, header))).toMatchObject({
    ...expected,
    width: 3,
    point_step: 20,
  });
  const telegram = {
    acceleration: [0, 0, 9.81],
    angularVelocity: [1, 2, 3],
    orientation: [1, 0, 0, 0],
    time: 5,
  } as const;
  const bytes = imuOf(telegram, header);
  expect(decodeImuMessage(bytes)).toMatchObject({ angularVelocity: [1, 2, 3], orientation: [1, 0, 0, 0] });
  expect(read(imu, bytes)).toMatchObject({
    ...expected,
    orientation: { x: 0, y: 0, z: 0, w: 1 },
    linear_acceleration: { x: 0, y: 0, z: 9.81 },
  });
  const pose = { x: 1000, y: 0, z: 0, yaw: 0, pitch: 0, roll: 0 };
  expect(read(transforms, transformsOf(pose, header, 'child'))).toMatchObject({
    transforms: [{ child_frame_id: 'child', transform: { translation: { x: 1, y: 0, z: 0 } } }],
  });
});
