import { filter, mountingPosition } from '@azimuth/model';
import {
  decodeLaserScan,
  decodeParticipantEntities,
  decodePointCloud,
  decodeTransforms,
} from '@azimuth/telegrams/ros2';
import { expect, test } from 'vitest';
import { DdsProgram } from '../../../../tests/support/dds-program.js';
import { imu, scan, settled } from '../streams/scanner.js';
import { cloudTopic, nodes, RosScanner, scanTopic, transforms } from './scanner.js';

const degree = Math.PI / 180;

test('a reader gets every scan as a LaserScan, whole and in order', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([scanTopic, { ...scanTopic, isReliable: false }]);
  await ros.scanner.runUntil(() => program.of(0).length >= 5);
  await settled();
  const scans = program.of(0).map(decodeLaserScan);
  const [first] = scans;
  if (first === undefined) throw new Error('a scan expected');
  expect(first.frameId).toBe('picoScan_');
  expect(first.ranges).toHaveLength(829);
  expect(first.angleMin).toBeCloseTo(-138 * degree, 5);
  expect(first.angleMax).toBeCloseTo(138 * degree, 5);
  expect(first.angleIncrement * 828).toBeCloseTo(276 * degree, 4);
  expect(first.scanTime).toBeCloseTo(1 / 15, 6);
  expect(first.timeIncrement).toBeCloseTo(1 / (15 * 1080), 8);
  expect(new Set(first.ranges)).toEqual(new Set([2]));
  expect(new Set(first.intensities)).toEqual(new Set([1028]));
  for (const [index, { stamp }] of scans.entries()) {
    expect(stamp - first.stamp).toBeCloseTo((index * 1_000_000) / 15, -1);
  }
  expect(program.of(1).map((content) => decodeLaserScan(content).stamp)).toEqual(
    scans.map(({ stamp }) => stamp),
  );
});

test('a reliable reader gets again what was lost, and nobody else does', async () => {
  const ros = await RosScanner.start();
  const lost = new Set<number>();
  const program = await ros.program([scanTopic, cloudTopic], (made) => {
    made.loses = (submessage) => {
      const isContent = submessage.kind === 'data' || submessage.kind === 'dataFragment';
      if (!isContent || (submessage.writer & 0xff) !== 3 || submessage.sequence !== 3) return false;
      if (lost.has(submessage.writer)) return false;
      lost.add(submessage.writer);
      return true;
    };
  });
  await ros.scanner.runUntil(() => [...(program.samples[1]?.keys() ?? [])].includes(5));
  for (const samples of program.samples) expect([...samples.keys()].sort()).toEqual([1, 2, 3, 4, 5]);
  expect(lost.size).toBe(2);
});

test('a cloud has a point for each echo, with its place, time and number', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([cloudTopic]);
  await ros.scanner.runUntil(() => program.of(0).length >= 1);
  const cloud = decodePointCloud(program.of(0)[0] ?? new Uint8Array(0));
  expect(cloud.width).toBe(829);
  const view = new DataView(cloud.data.buffer, cloud.data.byteOffset);
  const last = 828 * cloud.pointStep;
  expect(view.getFloat32(last, true)).toBeCloseTo(2 * Math.cos(138 * degree), 5);
  expect(view.getFloat32(last + 4, true)).toBeCloseTo(2 * Math.sin(138 * degree), 5);
  expect([view.getFloat32(last + 8, true), view.getFloat32(last + 12, true)]).toEqual([0, 1028]);
  expect(view.getUint32(last + 16, true)).toBeCloseTo((828 / (15 * 1080)) * 1e9, -2);
  expect(view.getUint16(last + 20, true)).toBe(0);
});

test('a late reader gets the transform and the list of nodes', async () => {
  const ros = await RosScanner.start();
  const position = { x: 1000, y: -500, z: 250, yaw: 900_000, pitch: 0, roll: 0 };
  ros.scanner.set(mountingPosition.members.SensorPosition, position);
  const program = await ros.program([transforms, nodes]);
  await ros.scanner.runUntil(() => program.of(0).length > 0 && program.of(1).length > 0);
  const [transform] = decodeTransforms(program.of(0).at(-1) ?? new Uint8Array(0));
  expect(transform).toMatchObject({
    frameId: 'world',
    childFrameId: 'picoScan_',
    translation: [1, -0.5, 0.25],
  });
  const [w = 0, x, y, z = 0] = transform?.rotation ?? [];
  expect([x, y]).toEqual([0, 0]);
  expect(w).toBeCloseTo(Math.SQRT1_2);
  expect(z).toBeCloseTo(Math.SQRT1_2);
  const entities = decodeParticipantEntities(program.of(1).at(-1) ?? new Uint8Array(0));
  expect(entities.participant.prefix).toBe(program.scanner);
  expect(entities.nodes).toHaveLength(1);
  expect(entities.nodes[0]).toMatchObject({ namespace: '/', name: 'scanner_12345678', readers: [] });
  expect(entities.nodes[0]?.writers).toHaveLength(6);
});

test('without a parent frame, later readers get no transform', async () => {
  const ros = await RosScanner.start();
  ros.scanner.set(scan.rosParentFrameId, '');
  const program = await ros.program([transforms]);
  await ros.scanner.runUntil(() => program.of(0).length > 0);
  expect(program.of(0).map(decodeTransforms)).toEqual([[]]);
});

test('topics follow the echo filter and the IMU, names follow the namespace', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([]);
  const names = (...added: readonly string[]) =>
    ['cloud/all_points', 'scan/all_points_echo0', 'scan/all_points_multi_echo', 'tf_static', ...added]
      .map((name) => `rt/${name}`)
      .concat('ros_discovery_info')
      .sort();
  const two = ['scan/all_points_echo1', 'scan/all_points_echo2'];
  await ros.scanner.runUntil(() => program.topics.length === 7);
  expect(program.topics).toEqual(names(...two));
  ros.scanner.set(filter.members.FREchoFilter, 0);
  await ros.scanner.runUntil(() => program.topics.length === 5);
  expect(program.topics).toEqual(names());
  ros.scanner.set(imu.ImuDataEnable, true);
  await ros.scanner.runUntil(() => program.topics.length === 6);
  expect(program.topics).toEqual(names('imu/data'));
});

test('a scanner without readers measures nothing', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([{ ...scanTopic, type: 'sensor_msgs::msg::dds_::Other_' }, transforms]);
  await ros.scanner.run(500);
  expect(program.of(1)).toHaveLength(1);
  expect(ros.scanner.core.orders).toEqual([]);
  const other = await ros.program([scanTopic]);
  await ros.scanner.runUntil(() => other.of(0).length > 0);
  other.leave();
  await ros.scanner.run(500);
  expect(ros.scanner.core.stops).toBe(1);
});

test('a scanner that is switched off says so, and comes back as another participant', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([scanTopic]);
  await ros.scanner.runUntil(() => program.of(0).length > 0);
  const before = program.scanner;
  ros.scanner.set(scan.ScanDataEnable, false);
  await settled();
  expect(program.ended).toBe(1);
  expect(program.topics).toEqual([]);
  await ros.enable();
  const again = await DdsProgram.open(ros.domain);
  again.announce();
  await ros.scanner.runUntil(() => again.scanner !== undefined);
  expect(again.scanner).not.toBe(before);
});
