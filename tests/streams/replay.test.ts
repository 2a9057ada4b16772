import { ReplayCore } from '@azimuth/simulation/replay';
import { StreamAudit } from '@azimuth/test-support/streams/audit';
import { captureOf } from '@azimuth/test-support/streams/capture';
import { framesOf } from '@azimuth/test-support/streams/frames';
import { profileOf, segmentSizes } from '@azimuth/test-support/streams/profiles';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { serial, VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { expect, it } from 'vitest';

/** What a scanner sent in its first half second, and what was in its whole frames. */
async function recorded(format: 'Compact' | 'MSGPACK') {
  const scanner = await VirtualScanner.start();
  await scanner.format(format);
  await scanner.profile(5);
  const receiver = await UdpReceiver.open();
  await scanner.send('scan', 'UDP', receiver.port);
  await scanner.pass(500);
  const telegrams = receiver.rest();
  return {
    capture: captureOf(
      telegrams.map(({ bytes }) => bytes),
      4000,
    ),
    frames: framesOf(telegrams),
  };
}

it.each(['Compact', 'MSGPACK'] as const)(
  'plays a capture of %s telegrams: the same distances, counted anew',
  async (format) => {
    const { capture, frames } = await recorded(format);
    const scanner = await VirtualScanner.start({ core: new ReplayCore(capture, { speed: 1, loop: true }) });
    await scanner.format(format);
    const receiver = await UdpReceiver.open();
    await scanner.send('scan', 'UDP', receiver.port);
    await scanner.pass(1000);
    const telegrams = receiver.rest();
    const audit = new StreamAudit({ sender: serial, sizes: segmentSizes(profileOf(5)) });
    audit.add(telegrams);
    // 25 turns a second were recorded, whatever the profile of this scanner says.
    expect(audit.frames).toBeGreaterThanOrEqual(24);

    const played = framesOf(telegrams).map(({ beams }) => JSON.stringify(beams));
    const known = frames.map(({ beams }) => JSON.stringify(beams));
    expect(known.length).toBeGreaterThanOrEqual(8);
    for (const frame of known) expect(played).toContain(frame);
    expect(new Set(played).size).toBeLessThanOrEqual(known.length + 2);
  },
);
