import { open } from '@azimuth/test-support/raw-connection';
import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { expect, test } from 'vitest';
import { gatewayTo, worker } from './gateway-and-workers.js';

const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
const key = 'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==';

const fleetPort = async () => (await someFleet(scannerFacts(1))).url;

async function gatewayPort(): Promise<string> {
  const one = await worker(scannerFacts(1));
  const gateway = await gatewayTo([one], 1);
  gateway.owners.set('1', one);
  return gateway.url;
}

test.each([
  ['a fleet', fleetPort],
  ['a gateway', gatewayPort],
])(
  'a WebSocket that is asked for behind other requests of %s does not overtake their answers',
  async (_, at) => {
    const port = Number(new URL(await at()).port);
    for (const first of ['/scanners', '/fleet', '/metrics', '/scanners/1/docs'])
      for (const second of ['/scanners/1/apievents', '/scanners/7/apievents']) {
        const connection = await open(port);
        const head = (path: string, headers: readonly string[]) =>
          [`GET ${path} HTTP/1.1`, 'Host: scanner', ...headers, '', ''].join('\r\n');
        connection.write(head(first, []) + head(second, [...upgrade, key]));
        expect((await connection.response()).statusLine).toContain('200');
        const { statusLine, headers } = await connection.response();
        expect(statusLine).toMatch(second.includes('/1/') ? / 426 / : / 404 /);
        expect(headers.get('connection')).toBe('close');
        await connection.closed;
      }
  },
);
