// @ts-check
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { decodeTelegram, Scanner, ScannerError } from 'azimuth-scanner/client';
import { startScanner } from 'azimuth-scanner/testing';

test('a scanner that gets too hot says so, and is locked for 30 s after five wrong passwords', async (t) => {
  const scanner = await startScanner();
  t.after(() => scanner.close());
  await scanner.client.write('temperatureAlarmConfiguration', { upperThreshold: 40, lowerThreshold: 30 });
  await scanner.simulation.temperature(41);
  assert.equal(await scanner.client.read('temperatureAlarmStatus'), true);

  const stranger = new Scanner({ url: scanner.url, password: 'wrong' });
  const refused = (/** @type {unknown} */ error) => error instanceof ScannerError && error.status === 4;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await assert.rejects(stranger.write('LocationName', 'Gate 3'), refused);
  }
  await assert.rejects(scanner.client.write('LocationName', 'Gate 3'), refused);
  await scanner.advance(30_000);
  await scanner.client.write('LocationName', 'Gate 3');
});

test('a driver gets fifteen scans in a second', async (t) => {
  const scanner = await startScanner({ scene: 'gate', seed: 7 });
  t.after(() => scanner.close());
  const driver = createSocket('udp4').bind(0, '127.0.0.1');
  t.after(() => driver.close());
  await once(driver, 'listening');
  const scans = new Set();
  driver.on('message', (datagram) => {
    const telegram = decodeTelegram(datagram);
    if (telegram.kind === 'scan')
      for (const { frameNumber } of telegram.telegram.modules) scans.add(frameNumber);
  });

  const { port } = driver.address();
  await scanner.write('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: port });
  await scanner.write('ScanDataEnable', true);
  await scanner.advance(1000);
  assert.equal(scans.size, 15);
});
