import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { bootMilliseconds } from '@azimuth/test-support/test-device';
import { latch, promisesSettled, until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { PlugFailure } from '../../src/interfaces/hardware/index.js';
import { plugTimeLimit } from '../../src/system-plug/cloning.js';
import { MemoryPlug, PlugScanner, plugOf } from './plug-scanner.js';

const full = Object.assign(new Error("ENOSPC: no space left on device, write '/home/x'"), { code: 'ENOSPC' });

describe('a plug that cannot be written', () => {
  test('does not fail the save, is reported without a path, and gets the next save', async () => {
    const plug = new MemoryPlug();
    const scanner = await PlugScanner.open('11111111', plug);
    plug.failure = { write: full };
    await scanner.set('saved').save();
    expect(scanner.test.device.parameters.storedSet.LocationName).toBe('saved');
    expect(scanner.plug).toEqual({
      State: 'FAILED',
      SerialNumber: '',
      Fault: 'ENOSPC: no space left on device',
    });
    expect(scanner.deviceStatus).toBe(5);
    expect(scanner.warnings).toEqual([expect.stringMatching(/^The system plug cannot be used; .*: ENOSPC/)]);
    await scanner.save();
    expect(scanner.warnings).toHaveLength(1);
    plug.failure = {};
    await scanner.save();
    expect(plug.text).toContain('"saved"');
    expect(scanner.plug.State).toBe('CURRENT');
    expect(scanner.deviceStatus).toBe(3);
  });

  test('gets the parameters at the next boot', async () => {
    const plug = new MemoryPlug();
    const scanner = await PlugScanner.open('11111111', plug);
    plug.failure = { write: full };
    await scanner.set('saved').save();
    plug.failure = {};
    await scanner.test.reboot();
    expect(plug.text).toContain('"saved"');
  });

  test('of another scanner is adopted, and not again: later changes stay', async () => {
    const plug = await plugOf('Gate 3');
    plug.failure = { write: full };
    const scanner = await PlugScanner.open('22222222', plug);
    expect(scanner.name).toBe('Gate 3');
    expect(scanner.plug.State).toBe('FAILED');
    await scanner.set('Gate 4').save();
    await scanner.test.reboot();
    expect(scanner.name).toBe('Gate 4');
    expect(plug.text).toContain('Gate 3');
    plug.failure = {};
    await scanner.test.reboot();
    expect(plug.text).toContain('Gate 4');
    expect(scanner.plug).toEqual({ State: 'CURRENT', SerialNumber: '22222222', Fault: '' });
  });
});

describe('a plug that cannot be read', () => {
  test('is neither adopted nor written; the boot goes on, and the next one adopts it', async () => {
    const plug = await plugOf('Gate 3');
    const before = plug.text;
    plug.failure = { read: new PlugFailure('no contact') };
    const scanner = await PlugScanner.open('22222222', plug);
    await scanner.set('saved').save();
    expect(scanner.plug).toEqual({ State: 'FAILED', SerialNumber: '', Fault: 'no contact' });
    expect(plug.text).toBe(before);
    plug.failure = {};
    await scanner.test.reboot();
    expect(scanner.name).toBe('Gate 3');
  });
});

describe('a plug that does not respond', () => {
  test('delays one save for some seconds, and further ones not at all; missed data is written when it responds', async () => {
    const plug = new MemoryPlug();
    const scanner = await PlugScanner.open('11111111', plug);
    const requested = latch();
    const response = latch();
    const written = latch();
    plug.before = async (access) => {
      if (access !== 'write') return;
      requested.open();
      await response.opened;
    };
    const save = scanner.set('saved').save();
    await requested.opened;
    await new Promise(setImmediate);
    scanner.test.clock.advance(plugTimeLimit);
    await save;
    expect(scanner.plug).toEqual({
      State: 'FAILED',
      SerialNumber: '',
      Fault: 'the plug has not answered for 5 s',
    });
    await scanner.set('saved later').save();
    expect(scanner.plug.Fault).toBe('the plug still does not answer');
    scanner.test.device.announcements.subscribe(() => {
      if (scanner.plug.State === 'CURRENT') written.open();
    });
    response.open();
    await written.opened;
    expect(plug.text).toContain('"saved later"');
    expect(scanner.deviceStatus).toBe(3);
  });

  test('does not keep the scanner from booting or from ending', async () => {
    const plug = await plugOf('Gate 3');
    const scanner = await PlugScanner.open('22222222');
    const requested = latch();
    plug.before = () => {
      requested.open();
      return new Promise(() => {});
    };
    const plugged = scanner.plugIn(plug);
    await requested.opened;
    await new Promise(setImmediate);
    scanner.test.clock.advance(plugTimeLimit);
    await plugged;
    await scanner.test.reboot();
    expect(scanner.plug).toMatchObject({ State: 'FAILED', Fault: 'the plug still does not answer' });
    await scanner.test.device.close();
    expect(scanner.name).not.toBe('Gate 3');
  });
});

describe('a plug that does not respond, across a power cycle,', () => {
  /** Switches the power off and on, and waits for the boot, which may wait for the plug. */
  async function powerCycle({ test: { device, clock } }: PlugScanner): Promise<void> {
    device.lifecycle.powerCycle();
    while (device.lifecycle.phase !== 'up') {
      clock.advance(1000);
      await promisesSettled();
    }
  }

  test('gets what was saved last, although the write from before ends last', async () => {
    const plug = new MemoryPlug();
    const scanner = await PlugScanner.open('11111111', plug);
    const requested = latch();
    const response = latch();
    plug.before = async (access) => {
      if (access !== 'write' || plug.writes > 0) return;
      requested.open();
      await response.opened;
    };
    const save = scanner.set('saved before').save();
    await requested.opened;
    await powerCycle(scanner);
    // The save was stored, but has no response yet.
    expect(scanner.name).toBe('saved before');
    expect(scanner.plug.Fault).toBe('the plug still does not answer');
    await scanner.set('saved later').save();
    response.open();
    await save;
    await until(() => scanner.plug.State === 'CURRENT');
    expect(plug.text).toContain('"saved later"');
    await powerCycle(scanner);
    expect(scanner.name).toBe('saved later');
    expect(scanner.deviceStatus).toBe(3);
  });

  test('delays a boot for some seconds. If it is of another scanner and responds later, the next boot adopts it', async () => {
    const plug = await plugOf('Gate 3');
    const scanner = await PlugScanner.open('22222222', undefined);
    await scanner.set('of its own').save();
    scanner.plugInQuietly(plug);
    const response = latch();
    plug.before = () => response.opened;
    const before = scanner.test.clock.monotonic();
    await powerCycle(scanner);
    expect(scanner.test.clock.monotonic() - before).toBeLessThanOrEqual(
      bootMilliseconds + plugTimeLimit + 1000,
    );
    expect(scanner.plug).toMatchObject({ State: 'FAILED', Fault: 'the plug has not answered for 5 s' });
    expect(scanner.name).toBe('of its own');
    response.open();
    await until(() => scanner.plug.State === 'WAITING');
    await scanner.set('changed').save();
    expect(scanner.name).toBe('changed');
    expect(plug.text).toContain('Gate 3');
    await powerCycle(scanner);
    expect(scanner.name).toBe('Gate 3');
    expect(scanner.plug).toMatchObject({ State: 'CURRENT', SerialNumber: '22222222' });
  });
});

describe('parameters on a plug that the scanner cannot store', () => {
  test('are adopted at a later boot; it boots with its own parameters', async () => {
    const storage = new FaultyStorage();
    const scanner = await PlugScanner.open('22222222', undefined, { storage });
    await scanner.set('of its own').save();
    await scanner.plugIn(await plugOf('Gate 3'));
    storage.fail('parameters.json');
    await scanner.test.reboot();
    expect(scanner.name).toBe('of its own');
    expect(scanner.plug).toMatchObject({ State: 'WAITING', SerialNumber: '11111111' });
    expect(scanner.deviceStatus).toBe(5);
    storage.recover();
    await scanner.test.reboot();
    expect(scanner.name).toBe('Gate 3');
    expect(scanner.deviceStatus).toBe(3);
  });
});

test('a plug that is pulled out during a save is not written', async () => {
  const plug = new MemoryPlug();
  const scanner = await PlugScanner.open('11111111', plug);
  const reading = latch();
  const goOn = latch();
  plug.before = async () => {
    reading.open();
    await goOn.opened;
  };
  const save = scanner.set('saved').save();
  await reading.opened;
  const out = scanner.plugIn(undefined);
  goOn.open();
  await Promise.all([save, out]);
  expect(plug.file).toBeUndefined();
  expect(scanner.plug.State).toBe('NONE');
  expect(scanner.test.device.parameters.storedSet.LocationName).toBe('saved');
});
