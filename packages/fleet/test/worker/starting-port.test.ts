import { expect, onTestFinished, test } from 'vitest';
import { FleetPort, GatewayKey } from '../../src/index.js';

test('while a worker starts, it answers requests of scanners with 421, so that gateways look again, and all others with 503', async () => {
  const key = new GatewayKey('a key of the deployment');
  const fleetPort = new FleetPort({
    ...{ host: '127.0.0.1', port: 0, maxConnections: 16 },
    worker: { key, owns: () => true, notReady: () => 'The worker is starting.', metrics: () => [] },
  });
  const url = await fleetPort.open();
  onTestFinished(() => fleetPort.close());
  const ask = (path: string) =>
    fetch(url + path, { headers: { 'azimuth-fleet': key.sign(url, 'GET', path) } });
  const ofScanner = await ask('/scanners/1/api/PowerOnCnt');
  expect([ofScanner.status, ofScanner.headers.get('azimuth-not-here')]).toEqual([421, '1']);
  const ofFleet = await ask('/scanners');
  expect([ofFleet.status, ofFleet.headers.get('azimuth-not-here')]).toEqual([503, null]);
});
