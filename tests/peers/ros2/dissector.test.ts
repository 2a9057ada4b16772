import { freeDomain, portsOf } from '@azimuth/test-support/dds-domain';
import { describe, expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { Capture, send } from './capture.js';
import { DdsProcess } from './dds-process.js';
import { publishing } from './ros2-scanner.js';
import { Subscriber, type Vendor, vendors } from './subscriber.js';
import { bestEffort, cloud, echoes, nodes, scan, transforms } from './topics.js';

const topic = 'rt/scan/all_points_echo0';
const period = 20;
/** The vendor that a scanner names in its packets. */
const azimuth = '0x017f';

buildPrograms('cyclonedds-subscriber', 'fastdds-subscriber', 'fastdds-publisher');

describe('the dissector', () => {
  it('finds two bad packets among those of a vendor', async () => {
    const domain = await freeDomain();
    const capture = await Capture.start(domain);
    const subscriber = await Subscriber.start('cyclonedds', domain, [{ topic, type: 'LaserScan' }], {
      ports: 'of the domain',
    });
    const publisher = new DdsProcess('fastdds-publisher', [domain, topic, 1, 5, period, 829, -1]);
    await subscriber.until(() => subscriber.samples().at(-1)?.stamp === BigInt(4 * period * 1_000_000));
    await publisher.stop();
    await subscriber.stop();
    const header = `525450530204017f${'00'.repeat(12)}`;
    const discovery = portsOf(domain).first;
    // A DATA submessage that announces 44 bytes and has 16, and a HEARTBEAT of 8 bytes in place of 28.
    await send(Buffer.from(`${header}15052c00${'00'.repeat(16)}`, 'hex'), discovery);
    await send(Buffer.from(`${header}07010800${'00'.repeat(8)}`, 'hex'), discovery);
    await capture.stop();
    expect(Object.fromEntries(await capture.packets())).toMatchObject({
      '0x0110': expect.any(Number),
      '0x010f': expect.any(Number),
      '0x017f': 2,
    });
    expect(await capture.complaints()).toMatchObject([
      { vendor: '0x017f', text: expect.stringMatching(/malformed/i) },
      { vendor: '0x017f', text: expect.stringContaining('should be >= 28') },
    ]);
  });
});

describe('a whole run of a scanner, from the first announcement to its goodbye,', () => {
  it('has no packet of the scanner that the dissector finds anything wrong with', async () => {
    const domain = await freeDomain();
    const capture = await Capture.start(domain);
    const { scanner, setup } = await publishing({ domain, profile: 9 });
    const topics = [scan, echoes, cloud, transforms, nodes];
    const readers = [...topics, bestEffort(scan), bestEffort(cloud)];
    const start = (vendor: Vendor) => Subscriber.start(vendor, domain, readers, { ports: 'of the domain' });
    const subscribers = await Promise.all(vendors.map(start));
    await Promise.all(subscribers.map((subscriber) => subscriber.next(15)));
    subscribers[0]?.freeze();
    await subscribers[1]?.next(30);
    subscribers[0]?.thaw();
    const late = await start('fastdds');
    await late.next(15);
    await setup.write('rosFrameId', 'front');
    await setup.write('rosNamespace', 'line');
    await Promise.all(subscribers.map((one) => one.until(() => one.writersOf() === 0)));
    await setup.write('rosNamespace', '');
    await Promise.all([...subscribers, late].map((subscriber) => subscriber.next(15)));
    for (const [reader, { topic }] of readers.entries()) {
      for (const subscriber of subscribers) expect(subscriber.samples(reader), topic).not.toHaveLength(0);
    }
    await late.stop();
    expect((await scanner.stop()).code).toBe(0);
    await Promise.all(subscribers.map((one) => one.until(() => one.writersOf() === 0)));
    await capture.stop();
    const packets = Object.fromEntries(await capture.packets());
    console.log('packets by vendor:', packets);
    expect(packets[azimuth]).toBeGreaterThan(1000);
    expect((await capture.complaints()).filter(({ vendor }) => vendor === azimuth || vendor === '')).toEqual(
      [],
    );
  });
});
