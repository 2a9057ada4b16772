import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type StartOptions, startScanner } from '../src/index.js';

async function started(options: StartOptions = {}) {
  const scanner = await startScanner(options);
  onTestFinished(() => scanner.close());
  return scanner;
}

describe('the power of a scanner', () => {
  test('off: connections are closed and no port is open, however much time passes. On: it boots at the same ports', async () => {
    const scanner = await started();
    const { ports } = scanner;
    await scanner.client.write('LocationName', 'Gate 3');
    const count = scanner.read('PowerOnCnt');
    const legacy = connect(ports.legacyA ?? 0, '127.0.0.1');
    await once(legacy, 'connect');
    const closed = once(legacy, 'close');
    await scanner.power.off();
    await closed;
    expect(scanner.power.isOn).toBe(false);
    expect(scanner.ports).toMatchObject({ http: null, legacyA: null, legacyB: null });
    await expect(fetch(`${scanner.url}/api/LocationName`)).rejects.toThrow();
    await scanner.advance(3_600_000);
    expect(scanner.ports.http).toBeNull();
    await scanner.power.on();
    expect(scanner.power.isOn).toBe(true);
    expect(scanner.ports).toEqual(ports);
    expect(await scanner.client.read('LocationName')).toBe('not defined');
    expect(scanner.read('PowerOnCnt')).toBe(count + 1);
  });

  test('on: the boot takes its time on the virtual clock', async () => {
    const scanner = await started({ bootTime: 5 });
    await scanner.power.off();
    const before = scanner.device.clock.monotonic();
    await scanner.power.on();
    expect(scanner.device.clock.monotonic() - before).toBe(5000);
  });

  test('may fail during a reboot, which begins anew and counts as a power-on', async () => {
    const scanner = await started();
    const count = scanner.read('PowerOnCnt');
    scanner.device.lifecycle.reboot();
    await scanner.advance(1000);
    await scanner.power.off();
    await scanner.power.off();
    await scanner.advance(10_000);
    expect(scanner.ports.http).toBeNull();
    const before = scanner.device.clock.monotonic();
    await scanner.power.on();
    await scanner.power.on();
    expect(scanner.device.clock.monotonic() - before).toBe(2000);
    expect(scanner.read('PowerOnCnt')).toBe(count + 1);
  });

  test('of a scanner with a real clock', async () => {
    const scanner = await started({ clock: { factor: 1000 } });
    await scanner.power.off();
    expect(scanner.ports.http).toBeNull();
    await scanner.power.on();
    await expect.poll(() => scanner.ports.http).not.toBeNull();
  });

  test('cannot be switched once the scanner is closed, and off does not keep it from closing', async () => {
    const scanner = await startScanner();
    await scanner.power.off();
    await scanner.close();
    await expect(scanner.power.on()).rejects.toThrow('the scanner is closed');
  });
});

test('a scanner whose power is switched off while it boots does not come up, and says so', async () => {
  const scanner = await startScanner();
  onTestFinished(() => scanner.close());
  await scanner.power.off();
  const boot = scanner.power.on();
  await Promise.all([expect(boot).rejects.toThrow('its power was switched off'), scanner.power.off()]);
  expect(scanner.power.isOn).toBe(false);
  await scanner.power.on();
  expect(scanner.device.lifecycle.phase).toBe('up');
});
