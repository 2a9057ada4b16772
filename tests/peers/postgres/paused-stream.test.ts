import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { azimuth } from '@azimuth/test-support/command-process';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { PostgresCluster } from '@azimuth/test-support/postgres-cluster';
import { until } from '@azimuth/test-support/waiting';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

let cluster: PostgresCluster;
beforeAll(async () => {
  cluster = await PostgresCluster.start();
});
afterAll(() => cluster.remove());

/** Counts datagrams by the port that they come from: each process sends from ports of its own. */
async function receiver() {
  const counts = new Map<number, number>();
  const socket = createSocket('udp4', (_, { port }: RemoteInfo) => {
    counts.set(port, (counts.get(port) ?? 0) + 1);
  }).bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { port: socket.address().port, counts };
}

test('a worker that was paused for longer than its lease sends none but the datagram that it was sending', async () => {
  const environment = {
    AZIMUTH_STORE: await cluster.database(),
    AZIMUTH_FLEET_KEY: 'a key of the deployment',
  };
  await azimuth(['fleet', 'migrate'], undefined, environment);
  const { port, counts } = await receiver();
  const settings = `{Protocol: 1, IPAddress: [127, 0, 0, 1], Port: ${port}}`;
  const file = join(temporaryFolder(), 'fleet.yaml');
  writeFileSync(
    file,
    `groups: {hall: {count: 8, serial: "23#", parameters: {ScanDataEthSettings: ${settings}, ScanDataEnable: true}}}`,
  );
  const applied = await azimuth(['fleet', 'apply', file], undefined, environment);
  expect(applied.stderr + applied.stdout).toContain('Version 1 of the fleet');
  for (let round = 0; round < 3; round++) {
    counts.clear();
    const paused = await FleetProcess.worker(environment, '--lease', '2');
    await until(() => counts.size === 8);
    const own = [...counts.keys()];
    paused.child.kill('SIGSTOP');
    const next = await FleetProcess.worker(environment, '--lease', '2');
    await until(() => counts.size === 16, 60_000);
    const sent = () => own.map((from) => counts.get(from));
    const before = sent();
    paused.child.kill('SIGCONT');
    await until(() => /has its lease|could not be renewed/.test(paused.log.text));
    await paused.end('SIGTERM');
    // It is asked right before each datagram is handed to the system: no process can ask and send in one step.
    const more = sent().map((count, index) => (count ?? 0) - (before[index] ?? 0));
    expect(more.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(1);
    await next.end('SIGTERM');
  }
});
