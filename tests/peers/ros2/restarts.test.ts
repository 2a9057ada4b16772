import { expectDone } from '@azimuth/test-support/envelope';
import { describe, expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { publishing } from './ros2-scanner.js';
import { Subscriber, vendors } from './subscriber.js';
import { scan } from './topics.js';

buildPrograms('cyclonedds-subscriber', 'fastdds-subscriber');

/** Far below the lease: who is gone by then has said so. */
const soon = 5000;

async function twoVendors(domain: number): Promise<readonly Subscriber[]> {
  const subscribers = await Promise.all(vendors.map((vendor) => Subscriber.start(vendor, domain, [scan])));
  await Promise.all(subscribers.map((subscriber) => subscriber.next(3)));
  return subscribers;
}

/** The GUIDs that a program knows of other programs of ours are no scanners: they have no writer. */
function writerOf(subscriber: Subscriber): string {
  const [writer, ...others] = subscriber.writers.filter(({ topic }) => topic === scan.topic);
  expect(others).toEqual([]);
  if (writer === undefined) throw new Error('no writer');
  return writer.guid;
}

describe('the scanner', () => {
  it('says goodbye when it ends: both vendors forget it at once, and find it again under a new GUID', async () => {
    const { scanner, domain, folder } = await publishing();
    const subscribers = await twoVendors(domain);
    const before = subscribers.map(writerOf);
    expect((await scanner.stop()).code).toBe(0);
    for (const subscriber of subscribers) {
      await subscriber.until(() => subscriber.writersOf() === 0, soon);
      await subscriber.until(() => subscriber.writers.length === 0, soon);
    }
    const [cyclonedds, fastdds] = subscribers;
    for (const subscriber of [cyclonedds, fastdds]) {
      const guid = before[0]?.slice(0, 24) ?? '';
      await subscriber?.until(() => !subscriber.participants.some((one) => one.guid.startsWith(guid)), soon);
      const end = subscriber?.events.filter(
        (one) => one.event === 'participant' && String(one.guid).startsWith(guid),
      );
      expect(end?.at(-1)).toMatchObject({ state: 'disposed' });
    }
    await folder.start(scanner.options.flags ?? []);
    await Promise.all(subscribers.map((subscriber) => subscriber.next(3)));
    for (const [index, subscriber] of subscribers.entries())
      expect(writerOf(subscriber)).not.toBe(before[index]);
  });

  it('says goodbye when it reboots, and comes back under a new GUID', async () => {
    const { scanner, setup, domain } = await publishing();
    const subscribers = await twoVendors(domain);
    const before = subscribers.map(writerOf);
    await scanner.throughReboot(async () => {
      expectDone(await setup.client.call('RebootDevice'));
    });
    for (const subscriber of subscribers) {
      await subscriber.until(() =>
        subscriber.writers.some(({ topic, guid }) => topic === scan.topic && !before.includes(guid)),
      );
      await subscriber.until(() => subscriber.writersOf() === 1);
      await subscriber.next(3);
      expect(before).not.toContain(writerOf(subscriber));
    }
  });

  it('is forgotten after its lease if it is killed, and found again when it starts before', async () => {
    const { scanner, domain, folder } = await publishing();
    const subscribers = await twoVendors(domain);
    const before = subscribers.map(writerOf);
    await scanner.kill();
    await folder.start(scanner.options.flags ?? []);
    for (const subscriber of subscribers) {
      await subscriber.next(3);
      const [old = ''] = before;
      await subscriber.until(() => !subscriber.writers.some(({ guid }) => guid === old), 40_000);
      // A reader is told in an event of its own.
      await expect.poll(() => subscriber.writersOf()).toBe(1);
    }
  });
});
