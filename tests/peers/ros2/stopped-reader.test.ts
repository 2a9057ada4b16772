import { residentBytes } from '@azimuth/test-support/health';
import { describe, expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { lacking, numbersMissingIn } from './gaps.js';
import { publishing } from './ros2-scanner.js';
import { Subscriber, vendors } from './subscriber.js';
import { cloud, echoes, scan } from './topics.js';

buildPrograms('cyclonedds-subscriber', 'fastdds-subscriber');

/** Scans before the stop, and meanwhile. The heap of a new scanner grows for 15 s. */
const settling = 225;
const stoppedFor = 150;

describe.each(vendors)('a subscriber of %s that stops reading', (vendor) => {
  it('disturbs no other, costs the scanner no memory, and receives again when it reads on', async () => {
    const { scanner, domain } = await publishing({ profile: 9 });
    const readers = [scan, echoes, cloud];
    const stopped = await Subscriber.start(vendor, domain, readers);
    const others = await Promise.all(vendors.map((one) => Subscriber.start(one, domain, readers)));
    const all = [stopped, ...others];
    // By then the writers keep as many samples as they may, and the heap of the scanner has its size.
    await Promise.all(all.map((subscriber) => subscriber.next(settling)));
    const memory = residentBytes(scanner);
    stopped.freeze();
    // 10 s and 40 MB: much more than any writer keeps.
    await Promise.all(others.map((subscriber) => subscriber.next(stoppedFor)));
    const grown = residentBytes(scanner) - memory;
    const readOn = latestOf(others);
    stopped.thaw();
    // What is no longer kept is skipped. From the first scan on that was measured later, nothing is missing.
    const later = () => stopped.samples().filter(({ stamp }) => stamp > readOn);
    await stopped.until(() => later().length > 30);
    expect(others.flatMap((subscriber) => lossesOf(subscriber, all))).toEqual([]);
    expect(
      lacking(
        later(),
        others.map((one) => one.samples()),
      ),
    ).toEqual([]);
    console.log(
      `${vendor}, stopped for ${stoppedFor} scans: ${
        lacking(
          stopped.samples(),
          others.map((one) => one.samples()),
        ).length
      } of them are missing, memory grew by ${Math.round(grown / 1024)} KiB`,
    );
    expect(grown).toBeLessThan(16 * 2 ** 20);
  });
});

/** The last stamp that any of them has received. */
function latestOf(subscribers: readonly Subscriber[]): bigint {
  const stamps = subscribers.flatMap((subscriber) => subscriber.samples().map(({ stamp }) => stamp));
  return stamps.reduce((latest, stamp) => (stamp > latest ? stamp : latest), 0n);
}

/** What a subscriber lacks of what anybody received, in words that name the topic. */
function lossesOf(subscriber: Subscriber, all: readonly Subscriber[]): readonly string[] {
  return subscriber.readers.flatMap(({ topic }, reader) => {
    const samples = subscriber.samples(reader);
    const received = all.map((one) => one.samples(reader));
    const stamps = lacking(samples, received).length;
    const numbers = numbersMissingIn(samples);
    return stamps + numbers === 0
      ? []
      : `${subscriber.vendor}, ${topic}: lacks ${stamps} stamps and ${numbers} numbers`;
  });
}
