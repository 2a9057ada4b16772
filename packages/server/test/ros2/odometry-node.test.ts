import type { WheelOdometry } from '@azimuth/device/control';
import {
  decodeClock,
  decodeOdometry,
  decodeParticipantEntities,
  decodeTransforms,
} from '@azimuth/telegrams/ros2';
import { freeDomain } from '@azimuth/test-support/dds-domain';
import { DdsProgram } from '@azimuth/test-support/dds-program';
import { bootMilliseconds } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';
import { StreamingScanner, scan, settled } from '../streams/scanner.js';
import { nodes } from './scanner.js';

const odom = { topic: 'rt/odom', type: 'nav_msgs::msg::dds_::Odometry_' };
const clock = { topic: 'rt/clock', type: 'rosgraph_msgs::msg::dds_::Clock_' };
const tf = { topic: 'rt/tf', type: 'tf2_msgs::msg::dds_::TFMessage_' };

/** A scanner on a vehicle whose odometry is published in a domain of its own. */
async function driving(odometry: () => WheelOdometry | undefined) {
  const domain = await freeDomain();
  const scanner = await StreamingScanner.start({
    vehicle: { of: () => ({ drive: async () => ({}), odometry }), rosOdometry: true },
  });
  scanner.set(scan.rosDomainId, domain);
  // It has joined domain 0 before, unless it was still about to.
  const isInDomain = () =>
    scanner.testScanner.log.lines.some(
      ({ message, facts }) => message.includes('has joined') && facts.domain === domain,
    );
  while (!isInDomain()) await settled();
  const program = async (readers: Parameters<typeof DdsProgram.open>[1]) => {
    const made = await DdsProgram.open(domain, readers);
    made.announce();
    await scanner.runUntil(() => made.topics.length > 0);
    return made;
  };
  return { scanner, program };
}

const present: WheelOdometry = { x: 1.5, y: -0.25, heading: 2, speed: 0.5, turn: 0.1 };

test('the odometry, the clock and the transform of a vehicle have one time', async () => {
  const { scanner, program } = await driving(() => present);
  const reader = await program([odom, clock, tf]);
  await scanner.runUntil(() => [0, 1, 2].every((index) => reader.of(index).length >= 10));
  const odometry = reader.of(0).map(decodeOdometry);
  expect(odometry[0]).toMatchObject({ ...present, heading: expect.closeTo(2, 12) });
  expect(odometry[0]).toMatchObject({ frameId: 'odom', childFrameId: 'base_link' });
  const stamps = odometry.map(({ stamp }) => stamp);
  for (const [index, stamp] of stamps.slice(1).entries()) expect(stamp - (stamps[index] ?? 0)).toBe(20_000);
  expect(reader.of(1).map(decodeClock)).toEqual(expect.arrayContaining(stamps.slice(0, 5)));
  const [transform] = reader.of(2).map(decodeTransforms)[0] ?? [];
  expect(transform).toMatchObject({
    frameId: 'odom',
    childFrameId: 'base_link',
    translation: [1.5, -0.25, 0],
  });
  expect(transform?.rotation[3]).toBeCloseTo(Math.sin(1), 12);
});

test('a vehicle that is not there yet has a clock, and no odometry', async () => {
  const { scanner, program } = await driving(() => undefined);
  const reader = await program([odom, clock, tf]);
  await scanner.runUntil(() => reader.of(1).length >= 5);
  expect(reader.of(0)).toEqual([]);
  expect(reader.of(2)).toEqual([]);
});

test('it is a node with three topics, and has no part in the output of the scanner', async () => {
  const { scanner, program } = await driving(() => present);
  const reader = await program([nodes]);
  await scanner.runUntil(() => reader.of(0).length >= 1);
  const [node] = decodeParticipantEntities(reader.of(0)[0] ?? new Uint8Array(0)).nodes;
  expect(node?.name).toBe('vehicle_of_scanner_12345678');
  expect(node?.writers).toHaveLength(3);
  expect(reader.topics).toEqual(['ros_discovery_info', 'rt/clock', 'rt/odom', 'rt/tf']);
});

test('it stays while the scanner reboots, and leaves with it', async () => {
  const { scanner, program } = await driving(() => present);
  const reader = await program([odom]);
  await scanner.runUntil(() => reader.of(0).length >= 3);
  scanner.testScanner.service.device.lifecycle.reboot();
  const before = reader.of(0).length;
  await scanner.run(bootMilliseconds / 2);
  await scanner.runUntil(() => reader.of(0).length > before + 10);
  await scanner.testScanner.service.close();
  expect(scanner.lines('info', 'ROS 2: the odometry of the vehicle has left')).not.toHaveLength(0);
});

test('nothing of it is there unless somebody asks', async () => {
  const vehicle = { drive: async () => ({}), odometry: () => present };
  const scanner = await StreamingScanner.start({ vehicle: { of: () => vehicle } });
  await scanner.run(100);
  expect(scanner.lines('info', 'ROS 2')).toEqual([]);
});
