import { describe, expect, it } from 'vitest';
import { buildPrograms } from './build.js';
import { Capture, send } from './capture.js';
import { DdsProcess } from './dds-process.js';
import { freeDomain, portsOf } from './domain.js';
import { Subscriber } from './subscriber.js';

const topic = 'rt/scan/all_points_echo0';
const period = 20;

buildPrograms('cyclonedds-subscriber', 'fastdds-publisher');

describe('the dissector', () => {
  it('finds two bad packets among those of a vendor', async () => {
    const domain = await freeDomain();
    const capture = await Capture.start(domain);
    const subscriber = await Subscriber.start(
      'cyclonedds',
      domain,
      [{ topic, type: 'LaserScan' }],
      'of the domain',
    );
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
