import { freeDomain } from '@azimuth/test-support/dds-domain';
import { expectDone } from '@azimuth/test-support/envelope';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { describe, expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { members, numbers, Subscriber, vendors } from './subscriber.js';
import { nodes, odometry, rosClock, vehicleTransforms } from './topics.js';

buildPrograms('cyclonedds-subscriber', 'fastdds-subscriber');

describe.each(vendors)('the odometry of a vehicle that %s reads', (vendor) => {
  it('follows its commands, with one time in all topics, though the scanner sends no ROS 2', async () => {
    const scanner = await new ScannerFolder().start(['--ros-odometry']);
    const domain = await freeDomain();
    expectDone(await scanner.client().write('rosDomainId', domain));
    const subscriber = await Subscriber.start(vendor, domain, [odometry, rosClock, vehicleTransforms, nodes]);
    await scanner.control('/drive', { speed: 1, turn: 30 });
    await subscriber.until(() => {
      const last = subscriber.samples(0).at(-1);
      return last !== undefined && (numbers(last.content.position)[0] ?? 0) > 0.3;
    });
    await subscriber.next(20, 2);
    const [first] = subscriber.samples(0);
    expect(first?.content).toMatchObject({ frame: 'odom', child: 'base_link' });
    const last = subscriber.samples(0).at(-1);
    const [speed] = numbers(last?.content.linear);
    const turn = numbers(last?.content.angular)[2];
    expect(speed).toBeCloseTo(1, 1);
    expect(turn).toBeCloseTo(Math.PI / 6, 2);
    const stamps = new Set(subscriber.samples(0).map(({ stamp }) => stamp));
    const ofClock = subscriber.samples(1).filter(({ stamp }) => stamps.has(stamp));
    expect(ofClock.length).toBeGreaterThan(10);
    const transforms = subscriber.samples(2).flatMap(({ content }) => members(content.transforms));
    expect(transforms[0]).toMatchObject({ frame: 'odom', child: 'base_link' });
    const [node] = members(subscriber.samples(3).at(-1)?.content.nodes);
    expect(node?.name).toMatch(/^vehicle_of_scanner_/);
    expect(subscriber.lost(0)).toBe(0);
  });
});
