import { freeDomain } from '@azimuth/test-support/dds-domain';
import { expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { publishing } from './ros2-scanner.js';
import { members, Subscriber, vendors } from './subscriber.js';
import { cloud, nodes, scan, transforms } from './topics.js';

buildPrograms('cyclonedds-subscriber', 'fastdds-subscriber');

it('moves its topics and its node when rosNamespace is written', async () => {
  const { setup, domain } = await publishing();
  const moved = { ...scan, topic: scan.topic.replace('rt/', 'rt/line_3/front/') };
  const subscribers = await Promise.all(
    vendors.map((vendor) => Subscriber.start(vendor, domain, [scan, moved, nodes])),
  );
  await Promise.all(subscribers.map((subscriber) => subscriber.next(3)));
  expect(subscribers.map((subscriber) => subscriber.samples(1).length)).toEqual([0, 0]);
  await setup.write('rosNamespace', 'line_3/front');
  for (const subscriber of subscribers) {
    await subscriber.until(() => subscriber.samples(1).length > 3 && subscriber.writersOf(0) === 0);
    const isThere = () =>
      members(subscriber.samples(2).at(-1)?.content.nodes)[0]?.namespace === '/line_3/front';
    await subscriber.until(isThere);
  }
});

it('names the new frames from the next scan on when rosFrameId and rosParentFrameId are written', async () => {
  const { setup, domain } = await publishing();
  const subscribers = await Promise.all(
    vendors.map((vendor) => Subscriber.start(vendor, domain, [scan, cloud, transforms])),
  );
  await Promise.all(subscribers.map((subscriber) => subscriber.next(3)));
  await setup.write('rosParentFrameId', 'base_link');
  await setup.write('rosFrameId', 'front');
  for (const subscriber of subscribers) {
    for (const reader of [0, 1]) {
      await subscriber.until(() => subscriber.samples(reader).at(-1)?.content.frame === 'front');
      const frames = subscriber.samples(reader).map(({ content }) => content.frame);
      expect(new Set(frames)).toEqual(new Set(['picoScan_', 'front']));
    }
    const isThere = () => {
      const [transform] = members(subscriber.samples(2).at(-1)?.content.transforms);
      return transform?.frame === 'base_link' && transform.child === 'front';
    };
    await subscriber.until(isThere);
  }
});

it('goes to another domain when rosDomainId is written, and leaves the old one', async () => {
  const { setup, domain } = await publishing();
  const before = await Promise.all(vendors.map((vendor) => Subscriber.start(vendor, domain, [scan])));
  await Promise.all(before.map((subscriber) => subscriber.next(3)));
  const other = await freeDomain();
  const after = await Promise.all(vendors.map((vendor) => Subscriber.start(vendor, other, [scan])));
  await setup.write('rosDomainId', other);
  await Promise.all(after.map((subscriber) => subscriber.next(3)));
  for (const subscriber of before) await expect.poll(() => subscriber.writersOf()).toBe(0);
});
