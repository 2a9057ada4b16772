import { expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { publishing } from './ros2-scanner.js';
import { Subscriber, vendors } from './subscriber.js';
import { scan } from './topics.js';

buildPrograms('cyclonedds-subscriber', 'fastdds-subscriber');

/** Scans a second. */
const rate = 15;

/** s: less than the lease of a participant of Fast DDS (20 s), more, and much more. CycloneDDS has 10 s. */
it.each([10, 25, 60])(
  'subscribers of both vendors that are stopped for %i s receive again when they go on',
  async (seconds) => {
    const { domain } = await publishing({ profile: 2 });
    const stopped = await Promise.all(vendors.map((vendor) => Subscriber.start(vendor, domain, [scan])));
    const other = await Subscriber.start('cyclonedds', domain, [scan]);
    await Promise.all([...stopped, other].map((subscriber) => subscriber.next(rate)));
    for (const subscriber of stopped) subscriber.freeze();
    const before = other.samples().length;
    await other.until(() => other.samples().length >= before + seconds * rate, (seconds + 30) * 1000);
    const latest = other.samples().at(-1)?.stamp ?? 0n;
    for (const subscriber of stopped) subscriber.thaw();
    for (const subscriber of stopped) {
      const later = () => subscriber.samples().filter(({ stamp }) => stamp > latest);
      await subscriber.until(() => later().length > 3 * rate, 30_000);
      expect(later().length, subscriber.vendor).toBeGreaterThan(3 * rate);
    }
  },
  150_000,
);
