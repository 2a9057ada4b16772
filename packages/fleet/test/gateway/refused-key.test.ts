import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { expect, test } from 'vitest';
import { GatewayKey, WorkerConnections } from '../../src/index.js';
import { gatewayTo, worker } from './gateway-and-workers.js';

test('if a worker does not accept the key of a gateway, clients are told what to compare, and it is logged once', async () => {
  const one = await worker(scannerFacts(1));
  const errors: unknown[] = [];
  const log = {
    info() {},
    warn() {},
    error: (message: string, fields?: object) => errors.push([message, fields]),
  };
  const connections = new WorkerConnections({ key: new GatewayKey('another key, as long') });
  const gateway = await gatewayTo([one], 1, { connections, log });
  gateway.owners.set('1', one);
  const compare = 'The same AZIMUTH_FLEET_KEY, and clocks that differ by less than 60 s, are needed on both.';
  const write = { method: 'POST', body: '{}' };
  for (const init of [{}, write]) {
    const answer = await fetch(`${gateway.url}/scanners/1/api/LocationName`, init);
    expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining(compare)]);
  }
  expect(errors).toEqual([['A worker does not accept the key of this gateway', { worker: one.url }]]);
});
