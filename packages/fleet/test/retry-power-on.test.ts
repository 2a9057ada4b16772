import { temporaryFolder } from '@azimuth/test-support/files';
import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { latch } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Fleet, FleetStore } from '../src/index.js';

const silent = { info() {}, warn() {}, error() {} };

/** A fleet of three scanners, and the counting of power-ons by its store. */
async function fleetOfThree() {
  const store = await FleetStore.open(temporaryFolder(), silent);
  const { fleet } = await someFleet(scannerFacts(3), { store });
  const counting = vi.spyOn(store, 'powerOn');
  onTestFinished(() => counting.mockRestore());
  return { fleet, counting };
}

const statesOf = (fleet: Fleet) => [...fleet.scanners.values()].map(({ state }) => state);

test('scanners that a power cycle has left off are tried again, but for those that somebody has switched off since', async () => {
  const { fleet, counting } = await fleetOfThree();
  counting.mockRejectedValueOnce(new Error('the database does not answer'));
  await expect(fleet.powerCycle(fleet.virtualMatching('*'))).rejects.toThrow('does not answer');
  expect(statesOf(fleet)).toEqual(['off', 'off', 'off']);
  await fleet.switchOff(fleet.virtualMatching('2'));
  counting.mockRejectedValueOnce(new Error('the database does not answer'));
  await expect(fleet.retryPowerOn()).rejects.toThrow('does not answer');
  await fleet.retryPowerOn();
  expect(statesOf(fleet)).toEqual(['idle', 'off', 'idle']);
  await fleet.retryPowerOn();
  expect(counting).toHaveBeenCalledTimes(3);
});

test('a scanner that was switched off on purpose is not left off', async () => {
  const { fleet, counting } = await fleetOfThree();
  await fleet.switchOff(fleet.virtualMatching('1'));
  await fleet.retryPowerOn();
  expect(statesOf(fleet)).toEqual(['off', 'idle', 'idle']);
  expect(counting).not.toHaveBeenCalled();
});

test('a scanner whose power-on was not counted stays off and is told, keeps no others off, and is tried again', async () => {
  const { fleet, counting } = await fleetOfThree();
  counting.mockResolvedValueOnce(new Set(['1', '3']));
  expect(await fleet.powerCycle(fleet.virtualMatching('*'))).toEqual({
    changed: 2,
    failed: [{ serialNumber: '2', reason: expect.stringContaining('another process') }],
  });
  expect(statesOf(fleet)).toEqual(['idle', 'off', 'idle']);
  await fleet.retryPowerOn();
  expect(statesOf(fleet)).toEqual(['idle', 'idle', 'idle']);
});

test('a scanner that is removed or switched off while its power-on is counted is not switched on', async () => {
  const { fleet, counting } = await fleetOfThree();
  const [begun, counted] = [latch(), latch()];
  counting.mockImplementationOnce(async (serials) => {
    begun.open();
    await counted.opened;
    return new Set(serials);
  });
  const [one, two, three] = fleet.virtualMatching('*');
  const cycling = fleet.powerCycle(fleet.virtualMatching('*'));
  await begun.opened;
  await fleet.remove(['1']);
  await fleet.switchOff(fleet.virtualMatching('2'));
  counted.open();
  await cycling;
  expect([one, two, three].map((scanner) => scanner?.state)).toEqual(['off', 'off', 'idle']);
  await fleet.retryPowerOn();
  expect([one, two, three].map((scanner) => scanner?.state)).toEqual(['off', 'off', 'idle']);
});

test('scanners that could not be taken in are not tried again: whoever wanted them does so', async () => {
  const { fleet, counting } = await fleetOfThree();
  counting.mockRejectedValueOnce(new Error('the database does not answer'));
  await expect(fleet.add(scannerFacts(4).slice(3))).rejects.toThrow('does not answer');
  await fleet.retryPowerOn();
  expect(counting).toHaveBeenCalledTimes(1);
  expect(fleet.scanners.size).toBe(3);
});
