import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { latch } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { plugTimeLimit } from '../../src/system-plug/cloning.js';
import { MemoryPlug, PlugScanner, plugOf } from './plug-scanner.js';

test('a scanner that has not read its own plug yet adopts it at the next boot, and no save overwrites it', async () => {
  const plug = await plugOf('Gate 3', '22222222');
  const scanner = await PlugScanner.open('22222222');
  await scanner.plugIn(plug);
  expect(scanner.plug.State).toBe('WAITING');
  await scanner.save();
  expect(plug.text).toContain('Gate 3');
  await scanner.test.reboot();
  expect(scanner.name).toBe('Gate 3');
});

test('a plug whose parameters could not be stored is not overwritten by a save', async () => {
  const plug = await plugOf('Gate 3', '22222222');
  const storage = new FaultyStorage();
  const scanner = await PlugScanner.open('22222222', undefined, { storage });
  scanner.plugInQuietly(plug);
  storage.fail('parameters.json');
  await scanner.test.reboot();
  expect(scanner.plug.State).toBe('WAITING');
  storage.recover();
  await scanner.save();
  expect(plug.text).toContain('Gate 3');
});

test('a plug of its own number and a newer release is refused, and never written', async () => {
  const plug = await plugOf('Gate 3', '22222222');
  const scanner = await PlugScanner.open('22222222', plug, { release: '2.3.1' });
  expect(scanner.plug.State).toBe('REFUSED');
  await scanner.save();
  expect(scanner.plug.State).toBe('REFUSED');
  expect(plug.text).toContain('Gate 3');
});

test.each([
  ['a plug of its own number', () => plugOf('Gate 3', '22222222'), 'WAITING'],
  ['an empty plug', async () => new MemoryPlug(), 'DUE'],
] as const)(
  '%s that answers after the boot gets no factory defaults that nobody saved',
  async (_, make, state) => {
    const plug = await make();
    const before = plug.text;
    const requested = latch();
    const response = latch();
    const inspected = latch();
    plug.before = async () => {
      requested.open();
      await response.opened;
    };
    const scanner = await PlugScanner.open('22222222');
    scanner.plugInQuietly(plug);
    const up = scanner.test.reboot();
    await requested.opened;
    await new Promise(setImmediate);
    scanner.test.clock.advance(plugTimeLimit);
    await up;
    scanner.test.device.announcements.subscribe(() => {
      if (scanner.plug.State !== 'FAILED') inspected.open();
    });
    response.open();
    await inspected.opened;
    expect(scanner.plug.State).toBe(state);
    expect(plug.text).toBe(before);
  },
);
