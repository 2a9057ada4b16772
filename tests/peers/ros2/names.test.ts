import { room } from '@azimuth/test-support/streams/room';
import { describe, expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { pointsOf } from './points.js';
import { publishing } from './ros2-scanner.js';
import {
  isComplete,
  members,
  numberLists,
  numbers,
  type ReaderSettings,
  Subscriber,
  vendors,
} from './subscriber.js';

buildPrograms('cyclonedds-subscriber', 'fastdds-subscriber');

const laser = 'LaserScan';
const multi = 'MultiEchoLaserScan';
const cloud = 'PointCloud2';
const numbersTo = (count: number) => Array.from({ length: count }, (_, number) => number);

/** Every topic of a device that publishes three echoes in ten segments, as a program for it names them. */
const topics: readonly ReaderSettings[] = [
  { topic: 'rt/cloud/all_points', type: cloud },
  { topic: 'rt/cloud/all_points_echo0', type: cloud },
  { topic: 'rt/cloud/all_points_echo1', type: cloud },
  { topic: 'rt/cloud/all_points_echo2', type: cloud },
  { topic: 'rt/cloud/reflector_points', type: cloud },
  { topic: 'rt/scan/all_points', type: multi },
  { topic: 'rt/scan/all_points_echo0', type: laser },
  { topic: 'rt/scan/all_points_echo1', type: laser },
  { topic: 'rt/scan/all_points_echo2', type: laser },
  ...numbersTo(10).flatMap((segment) => [
    { topic: `rt/cloud/segment${segment}`, type: cloud },
    { topic: `rt/scan/segment${segment}`, type: multi },
    ...numbersTo(3).map((echo) => ({ topic: `rt/scan/segment${segment}_echo${echo}`, type: laser })),
  ]),
];

/** The room with a reflector in it, 4.5 m ahead. */
const withReflector = {
  ...room,
  walls: [{ from: [4.5, -0.4], to: [4.5, 0.4], material: 'reflector' }],
};

/** Waits until a reader has a sample with its content, and gives the last one. */
async function sampleOf(subscriber: Subscriber, reader: number) {
  await subscriber.until(() => subscriber.samples(reader).some(isComplete));
  const sample = subscriber.samples(reader).findLast(isComplete);
  if (sample === undefined) throw new Error('gone');
  return sample;
}

describe.each(vendors)('a program of %s that knows only the names of the device', (vendor) => {
  it('reads every topic, whether or not it has points, and all of a scan have the same stamp', async () => {
    const { domain } = await publishing({ scene: withReflector });
    const subscriber = await Subscriber.start(vendor, domain, topics);
    const stampsOf = (reader: number) => subscriber.samples(reader).map(({ stamp }) => stamp);
    const common = () => {
      const all = topics.map((_, reader) => new Set(stampsOf(reader)));
      return stampsOf(0).filter((stamp) => all.every((stamps) => stamps.has(stamp)));
    };
    await subscriber.until(() => common().length >= 5, 60_000);
    expect(topics.map((_, reader) => subscriber.writersOf(reader))).toEqual(topics.map(() => 1));
    const listed = subscriber.writers.map(({ topic }) => topic);
    expect(topics.filter(({ topic }) => !listed.includes(topic))).toEqual([]);
  });

  it('finds intensities from 0 to 1, 1.05 for a reflector, and the points of reflectors', async () => {
    const { domain } = await publishing({ scene: withReflector });
    const wanted = ['rt/cloud/all_points', 'rt/cloud/reflector_points', 'rt/scan/all_points_echo0'];
    const readers = [...wanted, 'rt/scan/all_points'].map((topic) => ({
      topic,
      type: topics.find((one) => one.topic === topic)?.type ?? '',
    }));
    const subscriber = await Subscriber.start(vendor, domain, readers);
    const all = await sampleOf(subscriber, 0);
    expect(members(all.content.fields).map(({ name }) => name)).toEqual(['x', 'y', 'z', 'i', 'p']);
    const points = pointsOf(all);
    expect(points.every(({ i, p }) => i > 0 && i <= 1 && p <= 1)).toBe(true);
    const reflectors = pointsOf(await sampleOf(subscriber, 1));
    expect(reflectors.length).toBeGreaterThan(10);
    for (const { x, p } of reflectors) expect([Math.round(x * 10), p]).toEqual([45, 1]);
    const scan = await sampleOf(subscriber, 2);
    const [ranges, intensities] = [numbers(scan.content.ranges), numbers(scan.content.intensities)];
    const marked = ranges.filter((_, beam) => Math.abs((intensities[beam] ?? 0) - 1.05) < 1e-6);
    expect(marked.length).toBeGreaterThan(10);
    const others = intensities.filter((intensity) => Math.abs(intensity - 1.05) >= 1e-6);
    expect(others.every((intensity) => intensity >= 0 && intensity <= 1)).toBe(true);
    const echoes = numberLists((await sampleOf(subscriber, 3)).content.intensities).flat();
    expect(echoes.filter((intensity) => Math.abs(intensity - 1.05) < 1e-6).length).toBeGreaterThan(10);
  });

  it('has one echo topic of each kind if one echo is passed, and the points where SensorPosition puts them', async () => {
    const SensorPosition = { x: 0, y: 0, z: 1500, yaw: 0, pitch: 0, roll: 0 };
    const { domain } = await publishing({
      scene: withReflector,
      values: { FREchoFilter: 2, SensorPosition },
    });
    const subscriber = await Subscriber.start(vendor, domain, [{ topic: 'rt/cloud/segment4', type: cloud }]);
    const points = pointsOf(await sampleOf(subscriber, 0));
    expect(points.length).toBeGreaterThan(80);
    expect(points.every(({ z }) => Math.abs(z - 1.5) < 1e-6)).toBe(true);
    const listed = subscriber.writers.map(({ topic }) => topic);
    expect(listed.filter((topic) => topic.endsWith('_echo0'))).toHaveLength(12);
    expect(listed.filter((topic) => /_echo[12]$/.test(topic))).toEqual([]);
  });
});
