import { freePort } from '@azimuth/test-support/free-port';
import { StreamAudit } from '@azimuth/test-support/streams/audit';
import { profileOf, segmentSizes } from '@azimuth/test-support/streams/profiles';
import { TcpReceiver, UdpReceiver } from '@azimuth/test-support/streams/receiver';
import type { Segment, Telegram } from '@azimuth/test-support/streams/telegram';
import { serial, VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { describe, expect, it } from 'vitest';

const sizes = (profile: number) => segmentSizes(profileOf(profile));

const segmentsIn = (telegrams: readonly Telegram[]): readonly Segment[] =>
  telegrams.flatMap((telegram) => (telegram.kind === 'scan' ? telegram.segments : []));

/** A scanner that sends scan data to a receiver, looked over from its first telegram on. */
async function streaming() {
  const scanner = await VirtualScanner.start();
  const receiver = await UdpReceiver.open();
  await scanner.send('scan', 'UDP', receiver.port);
  const audit = new StreamAudit({ sender: serial, sizes: sizes(2) });

  /** Lets time pass and looks over what comes meanwhile. */
  async function over(milliseconds: number): Promise<readonly Segment[]> {
    await scanner.pass(milliseconds);
    const telegrams = receiver.rest();
    audit.add(telegrams);
    return segmentsIn(telegrams);
  }

  await over(500);
  return { scanner, receiver, audit, over };
}

describe('while it streams', () => {
  it('changes its performance profile between two whole frames', async () => {
    const { scanner, audit, over } = await streaming();
    for (const profile of [8, 9, 11, 1]) {
      const before = audit.frames;
      await scanner.profile(profile);
      audit.change({ sizes: sizes(profile) }, 'whole');
      const frames = [...new Set((await over(1000)).map(({ frame }) => frame))];
      expect(frames).toEqual(frames.map((_, index) => (frames[0] ?? 0) + index));
      expect(audit.frames - before).toBeGreaterThanOrEqual(profileOf(profile).rate - 2);
    }
  });

  it('changes it twice within one revolution, and finishes that revolution', async () => {
    const { scanner, audit, over } = await streaming();
    // A turn takes 66.7 ms: the eighth one began at 466.7 ms and ends at 533.3 ms.
    await scanner.profile(8);
    await over(5);
    await scanner.profile(10);
    audit.change({ sizes: sizes(10) }, 'whole');
    const seen = await over(500);
    const begin = seen.find(({ beams }) => beams === 480);
    expect(begin).toMatchObject({ index: 0, frame: 9, firstTime: 533_333 });
    expect(audit.frames).toBeGreaterThanOrEqual(8 + 17);
  });

  it('changes its destination, by UDP and to TCP and back, and counts on', async () => {
    const { scanner, receiver, audit, over } = await streaming();
    const other = await UdpReceiver.open();
    await scanner.send('scan', 'UDP', other.port);
    await scanner.pass(500);
    audit.add(other.rest());
    expect(receiver.unread).toBe(0);

    const port = await freePort();
    await scanner.send('scan', 'TCP', port);
    const client = await TcpReceiver.open(port);
    await scanner.connected(1);
    await scanner.pass(500);
    audit.change();
    const came = await client.next(60);
    audit.add(came);
    expect(other.unread).toBe(0);

    await scanner.send('scan', 'UDP', receiver.port);
    await client.closed;
    audit.add(client.rest());
    audit.change();
    expect((await over(500)).length).toBeGreaterThan(60);
  });

  it('is switched off and on, and counts on', async () => {
    const { scanner, audit, over } = await streaming();
    await scanner.enable('scan', false);
    expect(await over(1000)).toEqual([]);
    const last = audit.sequence;
    await scanner.enable('scan', true);
    audit.change();
    const seen = await over(1000);
    expect(seen[0]?.sequence).toBe(last + 1);
    // The mirror has turned meanwhile: frames of a second are missing, and their time is.
    expect(seen[0]?.frame).toBeGreaterThanOrEqual(22);
    expect(seen[0]?.index).toBe(0);
    expect(audit.frames).toBeGreaterThanOrEqual(20);
  });

  it('stops measuring and starts again, and tells so in DeviceStatus', async () => {
    const { scanner, audit, over } = await streaming();
    expect(await scanner.status()).toBe(3);
    await scanner.call('mStopMeasure');
    expect(await scanner.status()).toBe(4);
    expect(await over(1000)).toEqual([]);
    const last = audit.sequence;
    await scanner.call('mStartMeasure');
    expect(await scanner.status()).toBe(3);
    audit.change();
    const seen = await over(1000);
    expect(seen[0]).toMatchObject({ sequence: last + 1, index: 0 });
    expect(seen.length).toBeGreaterThan(130);
    await scanner.call('mStandby');
    expect(await scanner.status()).toBe(4);
    expect(await over(500)).toEqual([]);
  });
});
