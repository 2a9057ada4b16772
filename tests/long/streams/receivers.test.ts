import { expectDone } from '@azimuth/test-support/envelope';
import { freePort, freeUdpPort } from '@azimuth/test-support/free-port';
import { StreamAudit } from '@azimuth/test-support/streams/audit';
import { profileOf, segmentSizes } from '@azimuth/test-support/streams/profiles';
import { demandCounted, encoderOf } from '@azimuth/test-support/streams/pulses';
import { TcpReceiver, UdpReceiver } from '@azimuth/test-support/streams/receiver';
import type { Telegram } from '@azimuth/test-support/streams/telegram';
import { serial, VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { expect, it } from 'vitest';

const sizes = (profile: number) => segmentSizes(profileOf(profile));

/** The telegrams from the first whole frame on, and the number of the one before. */
function fromWholeFrame(telegrams: readonly Telegram[]): { telegrams: readonly Telegram[]; before: number } {
  const first = telegrams.findIndex(
    (telegram) => telegram.kind === 'scan' && telegram.segments[0]?.index === 0,
  );
  const begin = telegrams[first];
  if (begin?.kind !== 'scan') throw new Error('no frame begins');
  return { telegrams: telegrams.slice(first), before: (begin.segments[0]?.sequence ?? 0) - 1 };
}

it('goes on without a receiver, and a later receiver gets the next datagrams', async () => {
  const scanner = await VirtualScanner.start();
  const port = await freeUdpPort();
  await scanner.send('scan', 'UDP', port);
  await scanner.send('encoder', 'UDP', port);
  await scanner.pass(2000);
  expect(await scanner.status()).toBe(3);
  const late = await UdpReceiver.open(port);
  await scanner.pass(1000);

  const telegrams = await late.next(150 + 25);
  const scan = fromWholeFrame(telegrams.filter(({ kind }) => kind === 'scan'));
  expect(scan.before).toBeGreaterThanOrEqual(300);
  const audit = new StreamAudit({ sender: serial, sizes: sizes(2) }, scan.before);
  audit.take(scan.telegrams);
  expect(audit.frames).toBeGreaterThanOrEqual(13);
  demandCounted(encoderOf(telegrams), serial, 51);
  expect(scanner.log.errors).toEqual([]);
});

it('sends to a client that comes later, without a gap', async () => {
  const scanner = await VirtualScanner.start();
  const port = await freePort();
  await scanner.send('scan', 'TCP', port);
  await scanner.pass(1000);
  const first = await TcpReceiver.open(port);
  await scanner.connected(1);
  await scanner.pass(1000);
  const second = await TcpReceiver.open(port);
  await scanner.connected(2);
  await scanner.pass(1000);

  for (const [receiver, least] of [
    [first, 290],
    [second, 140],
  ] as const) {
    const { telegrams, before } = fromWholeFrame(await receiver.next(least));
    const audit = new StreamAudit({ sender: serial, sizes: sizes(2) }, before);
    audit.take(telegrams);
    expect(audit.frames).toBeGreaterThanOrEqual(Math.floor(least / 10) - 2);
    expect(receiver.dropped).toBe(0);
  }
});

it('serves other clients while one does not read, and finally closes that one', async () => {
  const scanner = await VirtualScanner.start();
  await scanner.profile(9);
  const port = await freePort();
  await scanner.send('scan', 'TCP', port);
  const good = await TcpReceiver.open(port);
  const stalled = await TcpReceiver.open(port);
  await scanner.connected(2);
  await scanner.write('EtherSessionTimeout', 4000);
  expectDone(await scanner.client.call('EthernetUpdate'));
  stalled.stall();
  // The buffers between the two have to fill before it is seen that it stalls.
  for (let second = 0; second < 60 && (await scanner.clients()) === 2; second += 1) {
    await scanner.pass(1000, 20);
  }
  expect(await scanner.clients()).toBe(1);

  const { telegrams, before } = fromWholeFrame(good.rest());
  const audit = new StreamAudit({ sender: serial, sizes: sizes(9), latest: 1 }, before);
  audit.take(telegrams);
  expect(audit.frames).toBeGreaterThanOrEqual(4 * 15);
  expect(good.dropped).toBe(0);

  stalled.readOn();
  await stalled.closed;
  expect(stalled.dropped).toBe(0);
  expect(stalled.untaken).toBeGreaterThan(0);
  expect(stalled.untaken).toBeLessThan(telegrams.length);
});

it('sends whole telegrams to a client that was slow for a while', async () => {
  const scanner = await VirtualScanner.start();
  await scanner.profile(9);
  const port = await freePort();
  await scanner.send('scan', 'TCP', port);
  const slow = await TcpReceiver.open(port);
  await scanner.connected(1);
  slow.stall();
  await scanner.pass(14_000, 20);
  slow.readOn();
  await slow.next(1);
  await scanner.pass(1000);

  await slow.find('a telegram of the last second', (telegram) => {
    return telegram.kind === 'scan' && (telegram.segments[0]?.firstTime ?? 0) > 14_500_000;
  });
  const numbers = slow.all.flatMap((telegram) =>
    telegram.kind === 'scan' ? [telegram.segments[0]?.sequence ?? 0] : [],
  );
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(slow.dropped).toBe(0);
});
