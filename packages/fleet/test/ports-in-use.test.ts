import { once } from 'node:events';
import { createServer } from 'node:net';
import { temporaryFolder } from '@azimuth/test-support/files';
import { freePort } from '@azimuth/test-support/free-port';
import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { latch } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type FleetOptions, FleetStore } from '../src/index.js';
import type { FleetScanner } from '../src/scanners/scanner.js';

/** A fleet without scanners that gets two. Another program has a port of the first. */
async function withTakenPort(options: Pick<FleetOptions, 'owns'> = {}) {
  const log = { info() {}, warn() {}, error: vi.fn() };
  const store = await FleetStore.open(temporaryFolder(), log);
  const counting = vi.spyOn(store, 'powerOn');
  const { fleet } = await someFleet([], { store, log, ...options });
  const http = await freePort();
  const other = createServer().listen(http, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const ports = { host: '127.0.0.1', http, https: 0, legacyA: 0, legacyB: 0 };
  await fleet.add(scannerFacts(2, (number) => (number === 1 ? { ports } : {})));
  const [scanner, neighbour] = fleet.scanners.values();
  if (scanner === undefined || neighbour === undefined) throw new Error('there are two');
  const free = async () => {
    other.close();
    await once(other, 'close');
  };
  return { fleet, scanner, neighbour, http, free, counting, log };
}

async function powerOnsOf(scanner: FleetScanner): Promise<number> {
  return (await scanner.started()).device.features.operatingData.counters.powerOnCount;
}

test('a scanner whose port was taken is switched on when the port is free, and its power-on is counted once', async () => {
  const { fleet, scanner, neighbour, http, free, counting, log } = await withTakenPort();
  expect([scanner.state, scanner.failure]).toEqual(['failed', expect.stringContaining('in use')]);
  for (let count = 0; count < 3; count++) await fleet.retryPowerOn();
  expect(scanner.state).toBe('failed');
  expect(counting).toHaveBeenCalledTimes(1);
  expect(log.error).toHaveBeenCalledTimes(1);
  await free();
  await fleet.retryPowerOn();
  expect([scanner.state, scanner.failure, scanner.ports.http]).toEqual(['idle', undefined, http]);
  await fleet.retryPowerOn();
  expect(counting).toHaveBeenCalledTimes(1);
  expect(await powerOnsOf(scanner)).toBe(1);
  expect(await powerOnsOf(neighbour)).toBe(1);
  expect((await fetch(`http://127.0.0.1:${http}/api/PowerOnCnt`)).status).toBe(200);
});

test('a request to switch on counts no further power-on if a port was taken, and a power cycle counts one', async () => {
  const { fleet, scanner, free } = await withTakenPort();
  expect((await fleet.switchOn([scanner])).failed).toHaveLength(1);
  await free();
  expect(await fleet.switchOn([scanner])).toEqual({ changed: 1, failed: [] });
  expect(await powerOnsOf(scanner)).toBe(1);
  await fleet.powerCycle([scanner]);
  expect(await powerOnsOf(scanner)).toBe(2);
});

test('a scanner whose port was taken stays off if another process runs it by now', async () => {
  let isOwned = true;
  const { fleet, scanner, free } = await withTakenPort({ owns: () => isOwned });
  await free();
  isOwned = false;
  await fleet.retryPowerOn();
  expect(scanner.state).toBe('failed');
});

test('a scanner whose port was taken stays off if somebody switches it off, or removes it', async () => {
  const { fleet, scanner, http, free } = await withTakenPort();
  await fleet.switchOff([scanner]);
  await free();
  await fleet.retryPowerOn();
  expect(scanner.state).toBe('off');
  await fleet.remove(['1']);
  await fleet.retryPowerOn();
  await expect(fetch(`http://127.0.0.1:${http}/api/SerialNumber`)).rejects.toThrow();
});

test('a scanner that is switched off while the ports of others are tried stays off', async () => {
  const { fleet, scanner, free, counting } = await withTakenPort();
  await free();
  const [opened, switchedOff] = [latch(), latch()];
  const open = scanner.openFreedPorts.bind(scanner);
  vi.spyOn(scanner, 'openFreedPorts').mockImplementation(async () => {
    const isFree = await open();
    // As if another scanner needed longer.
    opened.open();
    await switchedOff.opened;
    return isFree;
  });
  const retry = fleet.retryPowerOn();
  await opened.opened;
  await fleet.switchOff([scanner]);
  switchedOff.open();
  await retry;
  expect(scanner.state).toBe('off');
  expect(counting).toHaveBeenCalledTimes(1);
});
