import { number } from '@azimuth/test-support/json';
import { decodeScan, type Scan } from '@azimuth/test-support/legacy/scan';
import { LegacyClient } from '@azimuth/test-support/legacy-client';
import { angleOfBeam, profileOf } from '@azimuth/test-support/streams/profiles';
import { grazesPost, stillRoom, toNearest } from '@azimuth/test-support/streams/room';
import { describe, expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { pointsOf } from './points.js';
import { publishing, type Ros2Scanner } from './ros2-scanner.js';
import { isComplete, numberLists, numbers, type Sample, Subscriber, vendors } from './subscriber.js';
import { cloud, echoes, scan } from './topics.js';

buildPrograms('cyclonedds-subscriber', 'fastdds-subscriber');

const profile = profileOf(2);

/** The first sample of a reader that is printed with its content. */
async function completeSample(subscriber: Subscriber, reader = 0): Promise<Sample> {
  await subscriber.until(() => subscriber.samples(reader).some(isComplete));
  const found = subscriber.samples(reader).find(isComplete);
  if (found === undefined) throw new Error('gone');
  return found;
}

describe.each(vendors)('a scan that %s reads', (vendor) => {
  it('has the distances of the room, from right to left', async () => {
    const { domain } = await publishing({ scene: stillRoom });
    const subscriber = await Subscriber.start(vendor, domain, [scan]);
    const { content } = await completeSample(subscriber);
    const ranges = numbers(content.ranges);
    expect(ranges).toHaveLength(profile.beams);
    for (const [beam, range] of ranges.entries()) {
      const direction = angleOfBeam(profile, beam);
      if (!grazesPost(direction)) expect(range * 1000).toBeCloseTo(toNearest(direction), 0);
    }
  });

  it('has the distances that the legacy protocol reports for the same scan', async () => {
    const { scanner, domain } = await publishing();
    const subscriber = await Subscriber.start(vendor, domain, [scan]);
    // A poll gets the scan of its time, and not every sample is printed with its content.
    await pollUntil({ scanner }, (polled) => {
      const complete = subscriber.samples().filter(isComplete);
      return complete.filter((sample) => polled.has(textOf(sample))).length >= 2;
    });
  });

  it('has the same first echoes in all three kinds of topic', async () => {
    const { domain } = await publishing();
    const firstEchoes = { ...cloud, topic: 'rt/cloud/all_points_echo0' };
    const subscriber = await Subscriber.start(vendor, domain, [scan, echoes, firstEchoes]);
    const { stamp, content } = await completeSample(subscriber);
    const same = (reader: number) => subscriber.samples(reader).find((sample) => sample.stamp === stamp);
    await subscriber.until(() => same(1) !== undefined && same(2) !== undefined);
    const [multi, points] = [same(1), same(2)];
    if (multi === undefined || points === undefined) throw new Error('gone');
    const ranges = numbers(content.ranges);
    const intensities = numbers(content.intensities);
    const firsts = (lists: unknown, none: number) => numberLists(lists).map(([first = none]) => first);
    expect(firsts(multi.content.ranges, Number.POSITIVE_INFINITY)).toEqual(ranges);
    expect(firsts(multi.content.intensities, 0)).toEqual(intensities);
    const first = pointsOf(points);
    const seen = ranges.flatMap((range, beam) => (Number.isFinite(range) ? [{ range, beam }] : []));
    expect(first).toHaveLength(seen.length);
    for (const [at, { range, beam }] of seen.entries()) {
      const direction = angleOfBeam(profile, beam);
      expect(first[at]?.x).toBeCloseTo(range * Math.cos(direction), 3);
      expect(first[at]?.y).toBeCloseTo(range * Math.sin(direction), 3);
      expect(first[at]?.z).toBeCloseTo(0, 6);
      expect(first[at]?.i).toBeCloseTo(intensities[beam] ?? 0, 6);
    }
  });
});

/** Asks for scans as often as they can be had, until those that came are enough. */
async function pollUntil(
  { scanner }: Pick<Ros2Scanner, 'scanner'>,
  isEnough: (polled: ReadonlySet<string>) => boolean,
): Promise<void> {
  const client = await LegacyClient.forTest(number(scanner.readyLine.legacyB), 'B');
  const scans = new Set<string>();
  const poll = async () => {
    const telegram = await client.request('sRN LMDscandata');
    if (telegram.command === 'sRA') scans.add(textOfScan(decodeScan(telegram)));
    return isEnough(scans);
  };
  await expect.poll(poll).toBe(true);
}

/** The distances (mm) of a scan, as text. */
function textOfScan(scan: Scan): string {
  return valuesOf(scan, 'DIST1').join();
}

/** The same of a sample. */
function textOf({ content }: Sample): string {
  const ranges = numbers(content.ranges);
  return ranges.map((range) => (Number.isFinite(range) ? Math.round(range * 1000) : 0)).join();
}

/** The values of a channel, in mm or as they come. */
function valuesOf({ wide }: Scan, content: string): readonly number[] {
  const channel = wide.find((one) => one.content === content);
  if (channel === undefined) throw new Error(`no ${content}`);
  return channel.data.map((value) => Math.round(value * channel.scale + channel.offset));
}
