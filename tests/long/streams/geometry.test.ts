import { freePort } from '@azimuth/test-support/free-port';
import { StreamAudit } from '@azimuth/test-support/streams/audit';
import { beamSpacing, profileOf, profiles, segmentSizes } from '@azimuth/test-support/streams/profiles';
import { TcpReceiver, UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { directionOf, grazesPost, stillRoom, toNearest } from '@azimuth/test-support/streams/room';
import type { Segment, Telegram } from '@azimuth/test-support/streams/telegram';
import { serial, VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { describe, expect, it } from 'vitest';

/** ms: the turn at 15 Hz that a new scanner finishes before it goes over to another profile. */
const firstTurn = 67;

/** Deviation in mm of the distance of an echo, by its strength (docs/scenes.md). */
const deviation = (strength: number) => 6 * Math.sqrt(1 + 2000 / strength);

const segmentsIn = (telegrams: readonly Telegram[]): readonly Segment[] =>
  telegrams.flatMap((telegram) => (telegram.kind === 'scan' ? telegram.segments : []));

/** How far the beams are off, in deviations of theirs; beams that see nothing are counted by themselves. */
function offsets(segments: readonly Segment[], profile: number) {
  let blind = 0;
  let beams = 0;
  let worst = 0;
  let sum = 0;
  let squares = 0;
  for (const segment of segments) {
    for (let beam = 0; beam < segment.beams; beam += 1) {
      const direction = directionOf(profileOf(profile), segment.index, beam);
      if (grazesPost(direction)) continue;
      beams += 1;
      const [nearest = 0] = segment.distance[beam] ?? [];
      if (nearest === 0) {
        blind += 1;
        continue;
      }
      expect(segment.azimuth?.[beam]).toBeCloseTo(direction, 3);
      const off = (nearest - toNearest(direction)) / deviation(segment.rssi?.[beam]?.[0] ?? 1);
      worst = Math.max(worst, Math.abs(off));
      sum += off;
      squares += off * off;
    }
  }
  const seen = beams - blind;
  return { blind: blind / beams, worst, mean: sum / seen, spread: Math.sqrt(squares / seen) };
}

async function receiverOf(scanner: VirtualScanner, protocol: 'UDP' | 'TCP') {
  if (protocol === 'UDP') {
    const receiver = await UdpReceiver.open();
    await scanner.send('scan', 'UDP', receiver.port);
    return receiver;
  }
  const port = await freePort();
  await scanner.send('scan', 'TCP', port);
  return TcpReceiver.open(port);
}

describe('the echoes of a room with a post', () => {
  const matrix = [1, 2, 8, 9, 11].flatMap((profile) =>
    (['Compact', 'MSGPACK'] as const).flatMap((format) =>
      (['UDP', 'TCP'] as const).map((protocol) => ({ profile, format, protocol })),
    ),
  );

  it.each(matrix)(
    'are at the right places: profile $profile, $format, $protocol',
    async ({ profile, format, protocol }) => {
      const scanner = await VirtualScanner.start();
      await scanner.profile(profile);
      await scanner.format(format);
      const receiver = await receiverOf(scanner, protocol);
      const { segments, rate } = profileOf(profile);
      await scanner.pass(firstTurn + 3000 / rate);
      const telegrams = await receiver.next(3 * segments);
      const audit = new StreamAudit({ sender: serial, sizes: segmentSizes(profileOf(profile)) });
      audit.add(telegrams);
      expect(audit.frames).toBe(3);
      const seen = segmentsIn(telegrams);
      expect(new Set(seen.map((segment) => segment.format))).toEqual(new Set([format]));
      const { blind, worst, mean, spread } = offsets(seen, profile);
      expect(blind).toBeLessThan(0.01);
      expect(worst).toBeLessThan(5);
      expect(Math.abs(mean)).toBeLessThan(0.15);
      expect(spread).toBeGreaterThan(0.85);
      expect(spread).toBeLessThan(1.15);
    },
  );

  it('are accurate without noise: to half a millimetre in Compact, exactly in MSGPACK', async () => {
    for (const [format, tolerance] of [
      ['Compact', 0.501],
      ['MSGPACK', 0.002],
    ] as const) {
      const scanner = await VirtualScanner.start({ scene: stillRoom });
      await scanner.format(format);
      const receiver = await receiverOf(scanner, 'UDP');
      await scanner.pass(200);
      for (const segment of segmentsIn(await receiver.next(10))) {
        for (let beam = 0; beam < segment.beams; beam += 1) {
          const direction = directionOf(profileOf(2), segment.index, beam);
          if (grazesPost(direction)) continue;
          const off = Math.abs((segment.distance[beam]?.[0] ?? 0) - toNearest(direction));
          expect(off, `segment ${segment.index}, beam ${beam}`).toBeLessThanOrEqual(tolerance);
        }
      }
    }
  });
});

describe('whole frames', () => {
  it.each(profiles)('come at the rate of profile $number: $rate Hz', async (profile) => {
    const scanner = await VirtualScanner.start();
    await scanner.profile(profile.number);
    const receiver = await UdpReceiver.open();
    await scanner.send('scan', 'UDP', receiver.port);
    await scanner.pass(firstTurn + 2000);
    const frames = 2 * profile.rate;
    const telegrams = await receiver.next(frames * profile.segments);
    const audit = new StreamAudit({ sender: serial, sizes: segmentSizes(profile) });
    audit.add(telegrams);
    expect(audit.frames).toBe(frames);
    expect(receiver.unread).toBeLessThanOrEqual(profile.segments + 1);

    const period = 1_000_000 / profile.rate;
    const seen = segmentsIn(telegrams);
    const [first] = seen;
    for (const segment of seen) {
      const turns = segment.frame - (first?.frame ?? 0);
      const before = segment.index * profile.beamsPerSegment;
      const due = (first?.firstTime ?? 0) + turns * period + before * beamSpacing(profile);
      expect(Math.abs(segment.firstTime - due)).toBeLessThanOrEqual(2);
      const span = (segment.beams - 1) * beamSpacing(profile);
      expect(Math.abs(segment.lastTime - segment.firstTime - span)).toBeLessThanOrEqual(2);
      expect(segment.available).toBe(true);
    }
  });
});
