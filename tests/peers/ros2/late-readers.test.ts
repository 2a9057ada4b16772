import { describe, expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { lacking } from './gaps.js';
import { publishing } from './ros2-scanner.js';
import { Subscriber, vendors } from './subscriber.js';
import { bestEffort, cloud, echoes, scan } from './topics.js';

buildPrograms('cyclonedds-subscriber', 'fastdds-subscriber');

const reliable = [scan, echoes, cloud];
const newcomers = 6;

describe.each(vendors)('subscribers of %s that come while scans are published', (vendor) => {
  it('get every scan from their first one on, and report none as lost', async () => {
    const { domain } = await publishing({ profile: 9 });
    const early = await Subscriber.start('cyclonedds', domain, reliable);
    // By then the writers keep as many samples as they may.
    await early.next(40);
    for (let count = 0; count < newcomers; count++) {
      const late = await Subscriber.start(vendor, domain, [...reliable, bestEffort(scan), bestEffort(cloud)]);
      await Promise.all(reliable.map((_, reader) => late.next(10, reader)));
      const complaints = reliable.map((_, reader) => ({
        lost: late.lost(reader) + late.holes(reader),
        lacks: lacking(late.samples(reader), [early.samples(reader)]).length,
      }));
      expect(complaints).toEqual(reliable.map(() => ({ lost: 0, lacks: 0 })));
      await late.stop();
    }
  });
});
