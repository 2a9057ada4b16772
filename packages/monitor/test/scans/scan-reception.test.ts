import { createSocket } from 'node:dgram';
import { startScanner } from '@azimuth/testing';
import { expect, onTestFinished, test } from 'vitest';
import { defaultLimits } from '../../src/conditions/limits.js';
import { scanConditions } from '../../src/conditions/scan-conditions.js';
import { ScanCount } from '../../src/scans/scan-count.js';
import { ScanPorts } from '../../src/scans/scan-ports.js';
import { ScanReception } from '../../src/scans/scan-reception.js';
import { snapshotOf } from '../snapshots.js';

async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

/** A scanner that sends to this computer, and what is received of it. */
async function received() {
  const port = await freeUdpPort();
  const scanner = await startScanner({ asDevice: true });
  onTestFinished(() => scanner.close());
  await scanner.write('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port });
  await scanner.write('ScanDataEnable', true);
  let now = 0;
  const clock = { now: () => now, pause: () => Promise.resolve() };
  const ports = new ScanPorts(clock, (error) => {
    throw error;
  });
  const reception = new ScanReception(ports, ({ address }) => address === '127.0.0.1');
  onTestFinished(() => reception.close());
  const follow = async () => {
    const values = new Map<string, unknown>([['DeviceStatus', scanner.read('DeviceStatus')]]);
    for (const { name } of reception.settings) values.set(name, await scanner.client.readAny(name));
    await reception.follow(values, '123456789');
  };
  const advance = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await scanner.advance(1000);
      now += 1000;
      reception.received(now);
    }
    return reception.received(now);
  };
  return { scanner, reception, follow, advance };
}

test('scans that are sent to this computer are counted, at the rate of the profile and of skipped scans', async () => {
  const { scanner, reception, follow, advance } = await received();
  await follow();
  // The port is open when a datagram has come.
  await expect.poll(async () => (await advance(1))?.total).toBeGreaterThan(0);
  await advance(70);
  const all = reception.received(0);
  expect(all).toMatchObject({ lost: 0, lossShare: 0 });
  const { rate = 0, expectedRate = 0 } = (await advance(10)) ?? {};
  expect(Math.abs(rate - expectedRate)).toBeLessThan(1);
  await scanner.write('LFPintervalFilter', { bEnable: true, uiReductionFactor: 5 });
  await follow();
  await advance(70);
  const reduced = await advance(1);
  expect(reduced?.expectedRate).toBe(expectedRate / 5);
  expect(Math.abs((reduced?.rate ?? 0) - expectedRate / 5)).toBeLessThan(1);
});

test('nothing is received of a scanner that sends elsewhere, nothing, or does not measure', async () => {
  const { scanner, reception, follow } = await received();
  await follow();
  expect(reception.received(0)).toBeDefined();
  await scanner.write('ScanDataEnable', false);
  await follow();
  expect(reception.received(0)).toBeUndefined();
  await scanner.write('ScanDataEnable', true);
  await scanner.write('ScanDataEthSettings', { Protocol: 1, IPAddress: [192, 0, 2, 7], Port: 2115 });
  await follow();
  expect(reception.received(0)).toBeUndefined();
});

test('telegrams that never come are lost, and those that come late are not', () => {
  const count = new ScanCount();
  for (const sequence of [1, 2, 5, 4, 8]) count.count({ sequence, transmitTime: 0, modules: [] }, 1000);
  expect(count).toMatchObject({ telegrams: 5, lost: 3, lastAt: 1000 });
});

test('silence, a low rate and losses are conditions', () => {
  const scans = { rate: 15, expectedRate: 15, total: 100, lost: 0, lossShare: 0, lastAt: 1_000_000 };
  const found = (different: Partial<typeof scans>, now = 1_000_000) =>
    scanConditions
      .filter(({ detect }) => {
        const snapshot = snapshotOf({ scans: { ...scans, ...different } });
        return (detect(snapshot, defaultLimits, now)?.length ?? 0) > 0;
      })
      .map(({ id }) => id);
  expect(found({})).toEqual([]);
  expect(found({}, 1_020_000)).toEqual(['no-scans']);
  expect(found({ rate: 12 })).toEqual(['scan-rate']);
  expect(found({ lossShare: 0.02 })).toEqual(['scan-loss']);
});
