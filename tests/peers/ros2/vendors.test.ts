import { freeDomain } from '@azimuth/test-support/dds-domain';
import { number } from '@azimuth/test-support/json';
import { describe, expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { DdsProcess } from './dds-process.js';
import { gapsIn } from './gaps.js';
import { isComplete, numbers, Subscriber, vendors } from './subscriber.js';

const topic = 'rt/scan/all_points_echo0';
const period = 20;
const ns = 1_000_000;

buildPrograms('cyclonedds-subscriber', 'fastdds-subscriber', 'cyclonedds-publisher', 'fastdds-publisher');

// If these fail, no test of a scanner in this folder means anything.
describe.each(vendors)('a publisher of %s', (vendor) => {
  it('reaches the subscribers of both vendors, which see a scan that it leaves out', async () => {
    const domain = await freeDomain();
    const reader = { topic, type: 'LaserScan' };
    const subscribers = await Promise.all(
      vendors.map((one) =>
        Subscriber.start(one, domain, [reader, { ...reader, reliability: 'best-effort' }]),
      ),
    );
    const publisher = new DdsProcess(`${vendor}-publisher`, [domain, topic, 4, 40, period, 829, 25]);
    for (const subscriber of subscribers) {
      await subscriber.until(() => subscriber.samples().at(-1)?.stamp === BigInt(39 * period * ns));
      // The publisher starts when its readers match; a reader may know its writer only a moment later.
      expect(subscriber.samples().length).toBeGreaterThan(25);
      expect(gapsIn(subscriber.samples(), period * ns)).toEqual([
        { after: BigInt(24 * period * ns), missing: 1 },
      ]);
      const scan = subscriber.samples().find(isComplete);
      const first = Number(scan?.stamp) / period / ns;
      expect(numbers(scan?.content.ranges)).toEqual(Array.from({ length: 829 }, (_, at) => first + at / 8));
      expect(numbers(scan?.content.intensities)).toEqual(Array.from({ length: 829 }, (_, at) => at));
      expect(number(scan?.content.size)).toBe(829);
      expect(subscriber.writers).toMatchObject([
        {
          topic,
          type: 'sensor_msgs::msg::dds_::LaserScan_',
          reliability: 'reliable',
          durability: 'volatile',
        },
      ]);
    }
    await publisher.stop();
    for (const subscriber of subscribers) {
      await subscriber.until(() => subscriber.writersOf() === 0);
      await subscriber.stop();
    }
  });
});
