// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scanner, ScannerError } from '@azimuth/client';
import { MemoryStorage, SystemRandom, VirtualClock, virtualIdentity } from '@azimuth/device';
import { ScannerService } from '@azimuth/server';
import { usualCore, VirtualHost } from '@azimuth/world';

/** A virtual scanner in this process, at a free port of this machine. It forgets everything when it is closed. */
async function startScanner() {
  const log = { info() {}, warn() {}, error: console.error };
  const host = new VirtualHost(log);
  const random = new SystemRandom();
  // Time stops until the test advances it; a SystemClock runs by itself.
  const clock = new VirtualClock();
  const service = await ScannerService.start({
    device: {
      identity: virtualIdentity('4711'),
      random,
      storage: new MemoryStorage(),
      variant: 'full',
      bootMilliseconds: 2000,
      core: () => usualCore(random, log),
    },
    clock,
    host,
    network: { mode: 'simulate', host: '127.0.0.1' },
    web: { port: 0, maxConnections: 100 },
  });
  return { service, host, clock };
}

test('a scanner that gets too hot says so, and is locked for 30 s after five wrong passwords', async () => {
  const { service, host, clock } = await startScanner();
  try {
    const url = service.url ?? '';
    const scanner = new Scanner({ url, user: 'Service', password: 'servicelevel' });
    await scanner.write('temperatureAlarmConfiguration', { upperThreshold: 40, lowerThreshold: 30 });
    host.setTemperature(41);
    assert.equal(await scanner.read('temperatureAlarmStatus'), true);

    const stranger = new Scanner({ url, user: 'Service', password: 'wrong' });
    const refused = (/** @type {unknown} */ error) => error instanceof ScannerError && error.status === 4;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await assert.rejects(stranger.write('LocationName', 'Gate 3'), refused);
    }
    await assert.rejects(scanner.write('LocationName', 'Gate 3'), refused);
    clock.advance(30_000);
    await scanner.write('LocationName', 'Gate 3');
  } finally {
    await service.close();
  }
});
