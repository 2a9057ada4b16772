import type { FaultPlan } from '@azimuth/simulation/faults';
import { decodeTelegram } from '@azimuth/telegrams';
import { freePort } from '@azimuth/test-support/free-port';
import { describe, expect, test } from 'vitest';
import { TcpReceiver, UdpReceiver } from '../streams/receivers.js';
import { StreamingScanner, settled, tcp, udp } from '../streams/scanner.js';

type Faults = FaultPlan['faults'];

/** The telegrams that come in a second of time, with these faults. */
async function received(...faults: Faults): Promise<readonly Buffer[]> {
  const { receiver } = await streaming(...faults);
  return receiver.telegrams;
}

async function streaming(...faults: Faults) {
  const scanner = await StreamingScanner.start({ faults: { seed: 3, faults } });
  const receiver = await UdpReceiver.open();
  scanner.sendScans(receiver.port, udp);
  await scanner.run(1000);
  await settled();
  return { scanner, receiver };
}

/** The numbers of telegrams, in the order in which they came. */
const numbersOf = (telegrams: readonly Buffer[]) =>
  telegrams.map((telegram) => Number(telegram.readBigUInt64LE(8)));

/** Returns true for a telegram with the right checksum. */
function isWhole(telegram: Buffer): boolean {
  try {
    decodeTelegram(telegram);
    return true;
  } catch {
    return false;
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('a receiver of scan data', () => {
  test('without a fault gets everything in order, and so it does when all faults are cleared', async () => {
    const { scanner, receiver } = await streaming();
    const all = numbersOf(receiver.telegrams);
    expect(all.length).toBeGreaterThan(100);
    expect(all).toEqual(upTo(all.length));
    const { faults } = scanner.testScanner;
    faults.add({ faults: [{ kind: 'stream-loss' }] });
    await scanner.run(500);
    expect(receiver.telegrams).toHaveLength(all.length);
    faults.clear();
    expect(faults.streams).toBeUndefined();
    await scanner.run(500);
    expect(receiver.telegrams.length).toBeGreaterThan(all.length + 50);
  });

  test('misses telegrams that are lost: every third one', async () => {
    const numbers = numbersOf(await received({ kind: 'stream-loss', every: 3 }));
    expect(numbers.length).toBeGreaterThan(60);
    expect(numbers.filter((number) => number % 3 === 0)).toEqual([]);
  });

  test('misses about as many as the probability says', async () => {
    const numbers = numbersOf(await received({ kind: 'stream-loss', probability: 0.5 }));
    const last = numbers.at(-1) ?? 0;
    expect(numbers.length).toBeGreaterThan(last * 0.3);
    expect(numbers.length).toBeLessThan(last * 0.7);
  });

  test('misses several in a row in a burst', async () => {
    const numbers = numbersOf(await received({ kind: 'stream-burst-loss', after: 10, first: 1, length: 20 }));
    expect(numbers.slice(0, 12)).toEqual([...upTo(10), 31, 32]);
  });

  test('gets telegrams twice', async () => {
    const numbers = numbersOf(await received({ kind: 'stream-duplicate', after: 4, first: 1, copies: 2 }));
    expect(numbers.slice(0, 8)).toEqual([1, 2, 3, 4, 5, 5, 5, 6]);
  });

  test('gets telegrams in another order', async () => {
    const numbers = numbersOf(await received({ kind: 'stream-reorder', after: 1, first: 1, behind: 2 }));
    expect(numbers.slice(0, 6)).toEqual([1, 3, 4, 2, 5, 6]);
  });

  test('gets wrong bytes under a checksum that no longer fits', async () => {
    const telegrams = await received({ kind: 'stream-corrupt', every: 2, bytes: 3 });
    expect(telegrams.length).toBeGreaterThan(100);
    expect(telegrams.map(isWhole).slice(0, 6)).toEqual([true, false, true, false, true, false]);
  });

  test('gets a wrong checksum behind right bytes', async () => {
    const right = await received();
    const telegrams = await received({ kind: 'stream-crc', after: 1, first: 1 });
    expect(telegrams.map(isWhole).slice(0, 3)).toEqual([true, false, true]);
    expect(telegrams[1]?.subarray(0, -4)).toEqual(right[1]?.subarray(0, -4));
  });

  test('gets telegrams late, so that some overtake others', async () => {
    const numbers = numbersOf(await received({ kind: 'stream-jitter', jitter: 60 }));
    expect(numbers.length).toBeGreaterThan(100);
    expect(numbers).not.toEqual(numbers.toSorted((one, other) => one - other));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('gets nothing for a time, and no gap in the numbers afterwards', async () => {
    const { scanner, receiver } = await streaming({ kind: 'stream-silence', at: 1000, for: 500 });
    const before = receiver.telegrams.length;
    await scanner.run(490);
    expect(receiver.telegrams.length - before).toBeLessThan(3);
    await scanner.run(500);
    const numbers = numbersOf(receiver.telegrams);
    expect(numbers).toEqual(upTo(numbers.length));
    expect(numbers.length).toBeGreaterThan(before + 50);
  });

  test('is gone: telegrams count as refused, and the log says so', async () => {
    const { scanner, receiver } = await streaming({ kind: 'stream-gone', at: 500 });
    const metrics = await scanner.metrics();
    expect(metrics.get('azimuth_telegram_errors_total{stream="scan",reason="refused"}')).toBeGreaterThan(50);
    expect(scanner.lines('warn', 'Scan data: telegrams do not get through')).toHaveLength(1);
    expect(receiver.telegrams.length).toBeGreaterThan(50);
  });

  test('over TCP loses its connection when it is gone, and can come again', async () => {
    const scanner = await StreamingScanner.start({
      faults: { faults: [{ kind: 'stream-gone', at: 1000, for: 100 }] },
    });
    const port = await freePort();
    scanner.sendScans(port, tcp);
    await settled(100);
    const receiver = await TcpReceiver.open(port);
    await scanner.runUntil(() => receiver.telegrams.length > 10);
    await scanner.runUntil(() => receiver.isClosed);
    await scanner.run(200);
    const again = await TcpReceiver.open(port);
    await scanner.runUntil(() => again.telegrams.length > 10);
    expect([receiver.isClosed, again.isClosed]).toEqual([true, false]);
  });

  test('of another stream has no fault', async () => {
    const numbers = numbersOf(await received({ kind: 'stream-loss', stream: 'imu' }));
    expect(numbers).toEqual(upTo(numbers.length));
  });
});
