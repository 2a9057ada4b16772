import { basicSettings, dataReduction, filter, mountingPosition } from '@azimuth/model';
import {
  decodeLaserScan,
  decodeMultiEchoLaserScan,
  decodeParticipantEntities,
  decodePointCloud,
  decodeTransforms,
} from '@azimuth/telegrams/ros2';
import { DdsProgram } from '@azimuth/test-support/dds-program';
import { DrivenCore } from '@azimuth/test-support/driven-core';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { scan, settled } from '../streams/scanner.js';
import { cloudTopic, laserScan, nodes, RosScanner, scanTopic, transforms } from './scanner.js';

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
  expect(new Set(first.intensities)).toEqual(new Set([Math.fround(1028 / 65_535)]));
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

test('a cloud has a point for each echo, with its place and its strength', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([cloudTopic]);
  await ros.scanner.runUntil(() => program.of(0).length >= 1);
  const cloud = decodePointCloud(program.of(0)[0] ?? new Uint8Array(0));
  expect(cloud.width).toBe(829);
  const view = new DataView(cloud.data.buffer, cloud.data.byteOffset);
  const last = 828 * cloud.pointStep;
  expect(view.getFloat32(last, true)).toBeCloseTo(2 * Math.cos(138 * degree), 5);
  expect(view.getFloat32(last + 4, true)).toBeCloseTo(2 * Math.sin(138 * degree), 5);
  expect(view.getFloat32(last + 8, true)).toBe(0);
  expect(view.getFloat32(last + 12, true)).toBeCloseTo(1028 / 65_535, 6);
  expect(view.getUint32(last + 16, true)).toBe(0);
});

test('SensorPosition moves the next cloud', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([cloudTopic]);
  await ros.scanner.runUntil(() => program.of(0).length >= 1);
  const position = { x: 1000, y: -500, z: 250, yaw: 0, pitch: 0, roll: 0 };
  ros.scanner.set(mountingPosition.members.SensorPosition, position);
  const before = program.of(0).length;
  await ros.scanner.runUntil(() => program.of(0).length > before);
  const { data, pointStep } = decodePointCloud(program.of(0).at(-1) ?? new Uint8Array(0));
  const view = new DataView(data.buffer, data.byteOffset + 414 * pointStep);
  const ahead = [0, 4, 8].map((offset) => view.getFloat32(offset, true));
  expect(ahead).toEqual([expect.closeTo(3, 5), expect.closeTo(-0.5, 5), 0.25]);
});

const laser = { type: laserScan };
const points = { type: cloudTopic.type };
const multi = { type: 'sensor_msgs::msg::dds_::MultiEchoLaserScan_' };

test('all messages of a scan have the same stamp: whole scans, segments, echoes, and clouds without a point', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([
    { topic: 'rt/scan/all_points', ...multi },
    { topic: 'rt/scan/all_points_echo2', ...laser },
    { topic: 'rt/cloud/all_points_echo0', ...points },
    { topic: 'rt/cloud/all_points_echo1', ...points },
    { topic: 'rt/cloud/reflector_points', ...points },
    { topic: 'rt/scan/segment0', ...multi },
    { topic: 'rt/scan/segment9_echo0', ...laser },
    { topic: 'rt/cloud/segment9', ...points },
  ]);
  await ros.scanner.runUntil(() => program.samples.every((samples) => samples.size >= 3));
  const decoders = [
    ...[decodeMultiEchoLaserScan, decodeLaserScan, decodePointCloud, decodePointCloud, decodePointCloud],
    ...[decodeMultiEchoLaserScan, decodeLaserScan, decodePointCloud],
  ];
  const stamps = decoders.map((decode, reader) => program.of(reader).map((one) => decode(one).stamp));
  const common = stamps[0]?.filter((stamp) => stamps.every((others) => others.includes(stamp))) ?? [];
  expect(common.length).toBeGreaterThanOrEqual(2);
  const widths = (reader: number) => new Set(program.of(reader).map((one) => decodePointCloud(one).width));
  // The last segment begins at 132° and ends at 138°.
  expect([2, 3, 4, 7].map((reader) => [...widths(reader)])).toEqual([[829], [0], [0], [19]]);
  const segment = decodeLaserScan(program.of(6)[0] ?? new Uint8Array(0));
  expect(segment.ranges).toHaveLength(19);
  expect(segment.angleMin).toBeCloseTo(132 * degree, 5);
  expect(decodeMultiEchoLaserScan(program.of(5)[0] ?? new Uint8Array(0)).counts).toHaveLength(90);
});

test('a segment is published when it is measured, before the scan ends', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([
    { topic: 'rt/cloud/segment0', ...points },
    { topic: 'rt/cloud/segment9', ...points },
  ]);
  await ros.scanner.runUntil(() => program.of(0).length > 0);
  expect(program.of(1)).toEqual([]);
});

test('a segment of a scan in parts is published with its last beam', async () => {
  const core = new DrivenCore();
  const ros = await RosScanner.start({ core });
  const program = await ros.program([
    { topic: 'rt/cloud/segment1', ...points },
    { topic: 'rt/cloud/all_points', ...points },
  ]);
  await ros.scanner.runUntil(() => core.isRunning);
  core.begin(core.order.origin.number, 3000);
  core.pass(179);
  await settled();
  expect(program.of(0)).toEqual([]);
  core.pass(180);
  await until(() => program.of(0).length === 1);
  const cloud = decodePointCloud(program.of(0)[0] ?? new Uint8Array(0));
  expect(cloud.width).toBe(90);
  const view = new DataView(cloud.data.buffer, cloud.data.byteOffset);
  const distances = Array.from({ length: 90 }, (_, point) => {
    const at = point * cloud.pointStep;
    return Math.round(1000 * Math.hypot(view.getFloat32(at, true), view.getFloat32(at + 4, true)));
  });
  expect(new Set(distances)).toEqual(new Set([3000]));
  expect(program.of(1)).toEqual([]);
  core.pass();
  await until(() => program.of(1).length === 1);
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
    // SensorPosition has already moved the points.
    translation: [0, 0, 0],
    rotation: [1, 0, 0, 0],
  });
  const entities = decodeParticipantEntities(program.of(1).at(-1) ?? new Uint8Array(0));
  expect(entities.participant.prefix).toBe(program.scanner);
  expect(entities.nodes).toHaveLength(1);
  expect(entities.nodes[0]).toMatchObject({ namespace: '/', name: 'scanner_12345678', readers: [] });
  expect(entities.nodes[0]?.writers).toHaveLength(program.topics.length - 1);
});

test('without a parent frame, later readers get no transform', async () => {
  const ros = await RosScanner.start();
  ros.scanner.set(scan.rosParentFrameId, '');
  const program = await ros.program([transforms]);
  await ros.scanner.runUntil(() => program.of(0).length > 0);
  expect(program.of(0).map(decodeTransforms)).toEqual([[]]);
});

/** Topics of a scanner, written by hand. */
function namesOf({ segments, echoes }: { segments: number; echoes: number }): readonly string[] {
  const each = (count: number, name: (number: number) => string) =>
    Array.from({ length: count }, (_, number) => name(number));
  const parts = ['all_points', ...each(segments, (segment) => `segment${segment}`)];
  return [
    ...parts.flatMap((part) => [`scan/${part}`, ...each(echoes, (echo) => `scan/${part}_echo${echo}`)]),
    ...parts.map((part) => `cloud/${part}`),
    ...each(echoes, (echo) => `cloud/all_points_echo${echo}`),
    'cloud/reflector_points',
    'tf_static',
  ]
    .map((name) => `rt/${name}`)
    .concat('ros_discovery_info')
    .sort();
}

test('topics follow the echo filter, the performance profile and the angle range', async () => {
  const ros = await RosScanner.start();
  const program = await ros.program([]);
  const shows = async (content: { segments: number; echoes: number }) => {
    const names = namesOf(content);
    await ros.scanner.runUntil(() => program.topics.length === names.length);
    expect(program.topics).toEqual(names);
  };
  await shows({ segments: 10, echoes: 3 });
  ros.scanner.set(filter.members.FREchoFilter, 0);
  await shows({ segments: 10, echoes: 1 });
  // From 30 Hz on, segments have 60°.
  ros.scanner.set(basicSettings.members.PerformanceProfileNumber, 8);
  await shows({ segments: 5, echoes: 1 });
  const { LFPangleRangeFilter } = dataReduction.members;
  const range = { ...LFPangleRangeFilter.type.initial, bEnable: true };
  ros.scanner.set(LFPangleRangeFilter, { ...range, fThetaStart: -300_000, fThetaStop: 300_000 });
  await shows({ segments: 2, echoes: 1 });
  ros.scanner.set(filter.members.FREchoFilter, 1);
  await shows({ segments: 2, echoes: 3 });
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
