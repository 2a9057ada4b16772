import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { expect, onTestFinished, test } from 'vitest';

/** An address at which no other test listens, so that all its ports are free. */
const host = '127.42.7.1';

/** Returns a port that the system may choose as a free one. */
async function portOfSystem(): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('no scanner gets a free port whose number another one of the fleet has', async () => {
  const count = 200;
  const chosen = await portOfSystem();
  const first = Math.min(chosen, 65_536 - count);
  for (let start = 0; start < 6; start++) {
    const { fleet, end } = await someFleet(
      scannerFacts(count, (number) => ({
        ports: { host, http: first + number - 1, https: 0, legacyA: 0, legacyB: 0 },
      })),
    );
    expect(fleet.states).toEqual({ off: 0, idle: count, running: 0, failed: 0 });
    const ports = [...fleet.scanners.values()].map((scanner) => scanner.ports);
    expect(ports.map(({ http }) => http)).toEqual(Array.from({ length: count }, (_, index) => first + index));
    const all = ports.flatMap(({ http, legacyA, legacyB }) => [http, legacyA, legacyB]);
    expect([new Set(all).size, all.includes(0)]).toEqual([3 * count, false]);
    await end();
  }
});

test('whoever connects while other scanners are still getting their ports is answered', async () => {
  const [facts] = scannerFacts(1, () => ({ ports: { host, http: 0, https: 0, legacyA: 0, legacyB: 0 } }));
  if (facts === undefined) throw new Error('there is one');
  const { fleet } = await someFleet([facts]);
  const [scanner] = fleet.virtualMatching('1');
  await fleet.switchOff(fleet.virtualMatching('1'));
  await scanner?.openFixedPorts();
  const client = connect(Number(scanner?.ports.http), host).setEncoding('utf8');
  onTestFinished(() => void client.destroy());
  client.write('GET /api/SerialNumber HTTP/1.1\r\nHost: scanner\r\n\r\n');
  await once(client, 'connect');
  await fleet.switchOn(fleet.virtualMatching('1'));
  expect(String(await once(client, 'data'))).toContain('"SerialNumber":"1"');
});
