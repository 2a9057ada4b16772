import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/files.js';
import { freePort } from '../../../tests/support/free-port.js';
import { someFleet, units } from '../../../tests/support/some-fleet.js';
import { latch } from '../../../tests/support/waiting.js';
import { FleetStore } from '../src/index.js';

/** A fleet without scanners that gets one whose port somebody else has. */
async function withTakenPort() {
  const log = { info() {}, warn() {}, error: vi.fn() };
  const store = await FleetStore.open(temporaryFolder(), log);
  const counting = vi.spyOn(store, 'powerOn');
  const { fleet } = await someFleet([], { store, log });
  const http = await freePort();
  const other = createServer().listen(http, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  await fleet.add(units(1, () => ({ ports: { host: '127.0.0.1', http, https: 0, legacyA: 0, legacyB: 0 } })));
  const [unit] = fleet.units.values();
  if (unit === undefined) throw new Error('there is one');
  const free = async () => {
    other.close();
    await once(other, 'close');
  };
  return { fleet, unit, http, free, counting, log };
}

test('a scanner whose port was taken is switched on when the port is free, and its power-on is counted then', async () => {
  const { fleet, unit, http, free, counting, log } = await withTakenPort();
  expect([unit.state, unit.failure]).toEqual(['failed', expect.stringContaining('in use')]);
  for (let count = 0; count < 3; count++) await fleet.switchOnLeftOff();
  expect(unit.state).toBe('failed');
  expect(counting).toHaveBeenCalledTimes(1);
  expect(log.error).toHaveBeenCalledTimes(1);
  await free();
  await fleet.switchOnLeftOff();
  expect([unit.state, unit.failure, unit.ports.http]).toEqual(['idle', undefined, http]);
  expect(counting).toHaveBeenCalledTimes(2);
  expect((await fetch(`http://127.0.0.1:${http}/api/SerialNumber`)).status).toBe(200);
  await fleet.switchOnLeftOff();
  expect(counting).toHaveBeenCalledTimes(2);
});

test('a scanner whose port was taken stays off if somebody switches it off, or removes it', async () => {
  const { fleet, unit, http, free } = await withTakenPort();
  await fleet.switchOff([unit]);
  await free();
  await fleet.switchOnLeftOff();
  expect(unit.state).toBe('off');
  await fleet.remove(['1']);
  await fleet.switchOnLeftOff();
  await expect(fetch(`http://127.0.0.1:${http}/api/SerialNumber`)).rejects.toThrow();
});

test('a scanner that is switched off while the ports of others are tried stays off', async () => {
  const { fleet, unit, free, counting } = await withTakenPort();
  await free();
  const [opened, switchedOff] = [latch(), latch()];
  const open = unit.openFreedPorts.bind(unit);
  vi.spyOn(unit, 'openFreedPorts').mockImplementation(async () => {
    const isFree = await open();
    // As if another one took longer.
    opened.open();
    await switchedOff.opened;
    return isFree;
  });
  const tried = fleet.switchOnLeftOff();
  await opened.opened;
  await fleet.switchOff([unit]);
  switchedOff.open();
  await tried;
  expect(unit.state).toBe('off');
  expect(counting).toHaveBeenCalledTimes(1);
});
