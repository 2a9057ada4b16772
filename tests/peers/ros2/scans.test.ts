import { number } from '@azimuth/test-support/json';
import { angleOfBeam, type Profile, profileOf } from '@azimuth/test-support/streams/profiles';
import { describe, expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { lacking, missingIn, numbersMissingIn } from './gaps.js';
import { publishing } from './ros2-scanner.js';
import { type ReaderSettings, type Sample, Subscriber, vendors } from './subscriber.js';
import { bestEffort, cloud, echoes, scan } from './topics.js';

buildPrograms('cyclonedds-subscriber', 'fastdds-subscriber');

/** Of each profile. `npm run campaign ros2` takes longer. */
const seconds = Number(process.env.AZIMUTH_ROS2_SECONDS ?? 10);

/** Reliable ones first. */
const readers: readonly ReaderSettings[] = [scan, echoes, cloud, bestEffort(scan), bestEffort(cloud)];
const reliable = readers.length - 2;

describe.each([2, 8, 9])('scans of profile %i', (number) => {
  const profile = profileOf(number);

  it(
    `reach the reliable readers of both vendors without a loss, for ${seconds} s`,
    async () => {
      const { domain } = await publishing({ profile: number });
      const subscribers = await Promise.all(
        vendors.map((vendor) => Subscriber.start(vendor, domain, readers)),
      );
      const wanted = Math.ceil(seconds * profile.rate);
      for (const subscriber of subscribers) {
        for (let reader = 0; reader < reliable; reader += 1) {
          await subscriber.until(() => subscriber.samples(reader).length >= wanted, 4000 * seconds + 30_000);
        }
      }
      expect(lossesOf(subscribers)).toEqual([]);
      for (const subscriber of subscribers) {
        expectComplete(subscriber, profile);
        reportLosses(subscriber, subscribers, profile);
      }
      expectTheSame(subscribers);
    },
    5000 * seconds + 90_000,
  );
});

/** What the reliable readers lack, in words that name the reader. */
function lossesOf(subscribers: readonly Subscriber[]): readonly string[] {
  return subscribers.flatMap((subscriber) =>
    readers.slice(0, reliable).flatMap(({ topic }, reader) => {
      const samples = subscriber.samples(reader);
      const stamps = lacking(samples, everyReaderOf(topic, subscribers));
      const numbers = numbersMissingIn(samples);
      const lost = subscriber.lost(reader) + subscriber.holes(reader);
      return stamps.length + numbers + lost === 0
        ? []
        : `${subscriber.vendor}, ${topic}: lacks ${stamps.length} stamps and ${numbers} numbers, reports ${lost} as lost`;
    }),
  );
}

/** What each reader of a topic received, in all programs. */
function everyReaderOf(topic: string, subscribers: readonly Subscriber[]): readonly (readonly Sample[])[] {
  return subscribers.flatMap((subscriber) =>
    readers.flatMap((one, reader) => (one.topic === topic ? [subscriber.samples(reader)] : [])),
  );
}

/** One writer wrote them all, and each has the directions and times of its profile. */
function expectComplete(subscriber: Subscriber, profile: Profile): void {
  for (let reader = 0; reader < reliable; reader += 1) {
    expect(new Set(subscriber.samples(reader).map(({ writer }) => writer)).size).toBe(1);
  }
  for (const { content } of [...subscriber.samples(0), ...subscriber.samples(1)])
    expectGeometry(content, profile);
}

/** The directions and times of the beams, from the published table of profiles. */
function expectGeometry(content: Sample['content'], profile: Profile): void {
  expect(content.size).toBe(profile.beams);
  expect(number(content.angleMin)).toBeCloseTo(angleOfBeam(profile, 0), 4);
  expect(number(content.angleMax)).toBeCloseTo(angleOfBeam(profile, profile.beams - 1), 4);
  expect(number(content.angleIncrement)).toBeCloseTo(Math.PI / 180 / profile.beamsPerDegree, 6);
  expect(number(content.scanTime)).toBeCloseTo(1 / profile.rate, 5);
  expect(number(content.timeIncrement)).toBeCloseTo(1 / profile.rate / 360 / profile.beamsPerDegree, 8);
}

/** Best effort promises nothing: what is lost is printed. So is what the scanner left out itself on a slow machine. */
function reportLosses(subscriber: Subscriber, all: readonly Subscriber[], profile: Profile): void {
  const { vendor } = subscriber;
  for (let reader = reliable; reader < readers.length; reader += 1) {
    const samples = subscriber.samples(reader);
    const { topic = '' } = readers[reader] ?? {};
    const lost = lacking(samples, everyReaderOf(topic, all)).length;
    console.log(
      `profile ${profile.number}, ${vendor}, ${topic}, best effort: ${samples.length} came, ${lost} lost`,
    );
    expect(samples.length).toBeGreaterThan(0);
  }
  const leftOut = missingIn(subscriber.samples(), 1e9 / profile.rate);
  console.log(
    `profile ${profile.number}, ${vendor}: ${subscriber.samples().length} came, ${leftOut} not measured`,
  );
}

/** Both vendors read the same content under the same stamp. */
function expectTheSame(subscribers: readonly Subscriber[]): void {
  const [first, second] = subscribers.map((subscriber) =>
    readers.map(
      (_, reader) =>
        new Map(subscriber.samples(reader).map((sample) => [sample.stamp, sample.content.digest])),
    ),
  );
  let compared = 0;
  for (const [reader, digests] of (first ?? []).entries()) {
    for (const [stamp, digest] of digests) {
      const other = second?.[reader]?.get(stamp);
      if (other === undefined) continue;
      expect(other).toBe(digest);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(seconds * 15);
}
