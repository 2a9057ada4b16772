import { readFileSync } from 'node:fs';
import { StreamAudit } from '@azimuth/test-support/streams/audit';
import { framesOf } from '@azimuth/test-support/streams/frames';
import { profileOf, segmentSizes } from '@azimuth/test-support/streams/profiles';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { serial, VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { expect, it } from 'vitest';
import { WallCore } from '../../examples/wall-core.js';

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('measures the wall 2 m ahead and nothing else', async () => {
  const scanner = await VirtualScanner.start({ core: new WallCore() });
  const receiver = await UdpReceiver.open();
  await scanner.send('scan', 'UDP', receiver.port);
  await scanner.pass(1000);
  await scanner.profile(7);
  await scanner.pass(1000);

  const telegrams = receiver.rest();
  const audit = new StreamAudit({ sender: serial, sizes: segmentSizes(profileOf(2)) });
  const change = telegrams.findIndex((one) => one.kind === 'scan' && one.segments[0]?.beams === 240);
  audit.add(telegrams.slice(0, change));
  expect(audit.frames).toBe(15);
  audit.change({ sizes: segmentSizes(profileOf(7)) }, 'whole');
  audit.add(telegrams.slice(change));
  expect(audit.frames).toBeGreaterThanOrEqual(15 + 38);

  const frames = framesOf(telegrams);
  for (const { beams } of [frames.at(0), frames.at(-1)].filter((frame) => frame !== undefined)) {
    for (const { angle, distance, rssi } of beams) {
      const [nearest = 0, ...others] = distance;
      expect(others).toEqual([0, 0]);
      if (Math.abs(Math.abs(angle) - 84.26) < 0.02) continue;
      if (Math.abs(angle) > 84.26) expect(nearest).toBe(0);
      // Angles are told to a hundredth of a degree: across the wall, that is a centimetre at 6 m.
      else expect(Math.abs(nearest * Math.cos((angle * Math.PI) / 180) - 2000)).toBeLessThan(3);
      expect((rssi[0] ?? 0) > 0).toBe(nearest > 0);
    }
  }
});

it('stops without receivers, and starts again', async () => {
  const scanner = await VirtualScanner.start({ core: new WallCore() });
  const receiver = await UdpReceiver.open();
  await scanner.send('scan', 'UDP', receiver.port);
  await scanner.pass(500);
  await scanner.enable('scan', false);
  const { unread: untaken } = receiver;
  await scanner.pass(500);
  expect(receiver.unread).toBe(untaken);
  await scanner.enable('scan', true);
  await scanner.pass(500);
  expect(receiver.unread).toBeGreaterThan(untaken + 50);
});

it('is what the documentation prints', () => {
  const [, printed] = /```ts\n([\s\S]*?)```/.exec(text('docs/measuring-core.md')) ?? [];
  expect(printed).toBe(text('examples/wall-core.ts'));
});
