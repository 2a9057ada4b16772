import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataOf } from '@azimuth/test-support/client';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { string } from '@azimuth/test-support/json';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { openSocket } from '@azimuth/test-support/subscriber';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { get, publicPaths } from './attacks.js';
import { unread } from './clients.js';

const rounds = 10;

/** Has the process collect its garbage, and say on stderr what is left of it. Loaded by this test alone. */
const collector = `
process.on('SIGUSR2', () => {
  globalThis.gc();
  setImmediate(() => {
    globalThis.gc();
    process.stderr.write('left ' + process.memoryUsage().heapUsed + '\\n');
  });
});
`;

/** Bytes of the heap that are in use when all garbage is gone. */
async function heapOf(scanner: ScannerProcess): Promise<number> {
  const left = () => [...scanner.log.matchAll(/^left (\d+)$/gm)].map(([, bytes]) => Number(bytes));
  const before = left().length;
  process.kill(scanner.pid, 'SIGUSR2');
  await until(() => left().length > before);
  return left().at(-1) ?? Number.NaN;
}

/** The most memory that the process has had since the last look, in MB. */
function peakOf({ pid }: ScannerProcess): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  // Has the system begin anew (proc(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return Number(kilobytes) / 1024;
}

/** Whatever clients do, one after the other: the same each time. */
async function load(scanner: ScannerProcess, paths: readonly string[]): Promise<void> {
  const client = scanner.client({ keepAlive: true });
  for (const path of paths) await client.send({ method: 'GET', path });
  for (let count = 0; count < 20; count++) expectDone(await client.write('LocationName', `Gate ${count}`));
  const sockets = await Promise.all(
    Array.from({ length: 20 }, () => openSocket(Number(scanner.httpPort), { path: '/x/events' })),
  );
  for (let count = 0; count < 20; count++)
    expectDone(await client.write('LocationName', `Gate ${count + 1}`));
  for (const socket of sockets) socket.destroy();
  const stop = await unread({ port: Number(scanner.httpPort) }, 100, paths.map(get).join(''));
  for (let count = 0; count < 10; count++) await client.value('DeviceStatus');
  stop();
  const token = string(dataOf(await client.call('CreateSessionToken')).token);
  const headers = { 'X-Session-Token': token };
  for (const path of ['/api/parameterbackup', '/api/update']) {
    const reply = await client.send({
      method: 'PUT',
      path,
      headers,
      body: Buffer.alloc(4 * 1024 * 1024, 'x'),
    });
    expect(reply.httpStatus).toBe(200);
  }
  client.close();
  await until(async () => {
    const { text } = await scanner.client().send({ method: 'GET', path: '/metrics' });
    return /^azimuth_connections 1$/m.test(text) && /^azimuth_event_connections 0$/m.test(text);
  });
}

test('memory does not grow from one load to the next and is released afterwards', async () => {
  const scannerFolder = new ScannerFolder();
  const script = join(scannerFolder.folder, 'collector.cjs');
  writeFileSync(script, collector);
  const scanner = await scannerFolder.start([], { env: { NODE_OPTIONS: `--expose-gc --require ${script}` } });
  expectData(await scanner.client().call('CreateParameterBackup', { Passphrase: '' }), { Result: true });
  const paths = await publicPaths(scanner);
  const peaks: number[] = [];
  const heaps: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await load(scanner, paths);
    peaks.push(peakOf(scanner));
    heaps.push(await heapOf(scanner));
    peakOf(scanner);
  }
  const told = `peaks (MB): ${peaks.map((mb) => mb.toFixed(0)).join(' ')}; left: ${heaps.map((bytes) => (bytes / 1e6).toFixed(1)).join(' ')}`;
  // When the collector comes by itself makes a tenth of a difference, in either direction.
  expect(Math.min(...peaks.slice(-3)), told).toBeLessThanOrEqual(1.1 * Math.max(...peaks.slice(1, 4)));
  expect(heaps.at(-1), told).toBeLessThanOrEqual(1.1 * (heaps[0] ?? 0));
}, 300_000);
