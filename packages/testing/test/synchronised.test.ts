import { decodeTelegram } from '@azimuth/client';
import { SystemClock } from '@azimuth/device';
import { expect, onTestFinished, test } from 'vitest';
import { type StartOptions, startScanner, startWorld } from '../src/index.js';
import { datagramDriver } from './datagram-driver.js';

/** UTC in µs at which the virtual clock begins. */
const epoch = Date.UTC(2026, 0, 15, 12) * 1000;
const turn = 1_000_000 / 15;

async function streaming(options: StartOptions) {
  const scanner = await startScanner(options);
  onTestFinished(() => scanner.close());
  const { received, destination } = await datagramDriver();
  await scanner.write('ScanDataEthSettings', destination);
  await scanner.write('ScanDataEnable', true);
  /** Number and time of the first beam (µs) of each scan. */
  const stamps = () => {
    const scans = new Map<number, number>();
    for (const datagram of received) {
      const decoded = decodeTelegram(datagram);
      if (decoded.kind !== 'scan') continue;
      for (const { frameNumber, segmentIndex, firstBeamTime } of decoded.telegram.modules)
        if (segmentIndex === 0) scans.set(frameNumber, firstBeamTime[0] ?? 0);
    }
    return scans;
  };
  return { scanner, stamps };
}

/** The offset of each stamp in whole µs to the uptime of its scan. */
const offsets = (stamps: ReadonlyMap<number, number>) =>
  [...stamps].map(([number, stamp]) => stamp - Math.round((number - 1) * turn));

test('a synchronised scanner tells UTC of the virtual clock from its first scan on', async () => {
  const { scanner, stamps } = await streaming({ synchronised: true });
  await scanner.advance(500);
  expect([...stamps().keys()][0]).toBe(1);
  expect(new Set(offsets(stamps()))).toEqual(new Set([epoch]));
  expect(await scanner.client.call('LSPsetdatetime', { DateTime: scanner.read('LSPdatetime') })).toEqual({
    ErrorCode: 1,
  });
  const response = await fetch(`${scanner.url}/x/time`);
  expect(await response.json()).toMatchObject({ data: { time: { Synchronised: true, System: 'PTP' } } });
});

test('without the option, times are the uptime', async () => {
  const { scanner, stamps } = await streaming({});
  await scanner.advance(500);
  expect(new Set(offsets(stamps()))).toEqual(new Set([0]));
});

test('after a power cycle, the first scan has UTC again', async () => {
  const { scanner, stamps } = await streaming({ synchronised: true });
  await scanner.advance(100);
  await scanner.powerCycle();
  const before = stamps().size;
  await scanner.advance(300);
  expect(stamps().size).toBeGreaterThanOrEqual(before);
  for (const stamp of stamps().values()) expect(stamp).toBeGreaterThanOrEqual(epoch);
});

test('a command and a fault end it, at the begin of a revolution', async () => {
  const { scanner, stamps } = await streaming({
    synchronised: true,
    faults: { faults: [{ kind: 'device-clock-lost', at: 1000, for: 500 }] },
  });
  await scanner.advance(500);
  await scanner.simulation.synchronised(false);
  await scanner.advance(300);
  await scanner.simulation.synchronised(true);
  await scanner.advance(1500);
  const told = offsets(stamps());
  expect(new Set(told)).toEqual(new Set([0, epoch]));
  const changes = told.flatMap((offset, index) =>
    index > 0 && offset !== told[index - 1] ? [index + 1] : [],
  );
  // Revolutions that begin behind 500, 800, 1000 and 1500 ms.
  expect(changes).toEqual([9, 14, 17, 24]);
});

test('a step of the clock is set right within a second', async () => {
  const { scanner, stamps } = await streaming({
    synchronised: true,
    faults: { faults: [{ kind: 'device-clock-step', at: 1100, step: -250 }] },
  });
  await scanner.advance(3000);
  const told = offsets(stamps()).map((offset) => offset - epoch);
  expect(new Set(told)).toEqual(new Set([0, -250_000]));
  expect(told.at(-1)).toBe(0);
  expect(told.filter((offset) => offset !== 0).length).toBeLessThanOrEqual(15);
});

test('on the clock of the computer, all scanners of a process have the same UTC', async () => {
  const both = await Promise.all([
    streaming({ synchronised: true, clock: 'real', bootTime: 0 }),
    streaming({ synchronised: true, clock: 'real', bootTime: 0 }),
  ]);
  await expect
    .poll(() => Math.min(...both.map(({ stamps }) => stamps().size)), { timeout: 10_000 })
    .toBeGreaterThan(3);
  const ahead = both.map(({ scanner }) => {
    const { uptime, telegramTime } = scanner.device.features;
    return telegramTime.offsetAt(uptime.microseconds) + uptime.microsecondsAt(0);
  });
  // µs by which UTC leads the clock of the process.
  const right = new SystemClock().utcAhead() * 1000;
  for (const one of ahead) expect(Math.abs(one - right)).toBeLessThan(1);
  expect(Math.abs((ahead[0] ?? 0) - (ahead[1] ?? 0))).toBeLessThan(1);
});

test('all scanners of a world have the same UTC', async () => {
  const scanners = ['left', 'right'].map((name, index) => ({ name, x: 0, y: index, heading: 0 }));
  const world = await startWorld({ world: { scanners }, synchronised: true, clock: 'real' });
  onTestFinished(() => world.close());
  const ahead = Object.values(world.scanners).map(({ device }) => {
    const { uptime, telegramTime } = device.features;
    return telegramTime.offsetAt(uptime.microseconds) + uptime.microsecondsAt(0);
  });
  expect(ahead).toHaveLength(2);
  const right = new SystemClock().utcAhead() * 1000;
  for (const one of ahead) expect(Math.abs(one - right)).toBeLessThan(1);
  expect(Math.abs((ahead[0] ?? 0) - (ahead[1] ?? 0))).toBeLessThan(1);
});
