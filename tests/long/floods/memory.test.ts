import { readFileSync } from 'node:fs';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { expectData } from '@azimuth/test-support/envelope';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { get, publicPaths } from './attacks.js';
import { type Target, unread } from './clients.js';

const clients = 400;

/** MB that the process may grow by, whatever nobody reads. */
const most = 100;

/** On a busy machine the collector may come too late to what has gone already: then once more, with a new scanner. */
const busy = { retry: 2 };

function residentMegabytes({ pid }: ScannerProcess): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

async function expectBounded(scanner: ScannerProcess, target: Target, requests: string): Promise<void> {
  const before = residentMegabytes(scanner);
  let highest = before;
  const client = scanner.client({ keepAlive: true });
  const stop = await unread(target, clients, requests);
  // Each answer comes behind all that the scanner was brought before.
  for (let count = 0; count < 30; count++) {
    expect(await client.value('DeviceStatus')).toBe(3);
    highest = Math.max(highest, residentMegabytes(scanner));
  }
  client.close();
  stop();
  expect(highest - before, requests.slice(0, 60)).toBeLessThan(most);
  await until(async () => {
    const { text } = await scanner.client().send({ method: 'GET', path: '/metrics' });
    return /^azimuth_connections 1$/m.test(text);
  });
}

test.each(['/openapi.json', '/metrics', '/x/stored', '/api/DeviceStatus'])(
  '400 clients that pipeline GET %s and do not read take little memory',
  busy,
  async (path) => {
    const scanner = await new ScannerFolder().start();
    await expectBounded(scanner, { port: Number(scanner.httpPort) }, get(path));
  },
);

test('such clients take little memory at every path, over HTTP and HTTPS', busy, async () => {
  const scanner = await new ScannerFolder().start();
  expectData(await scanner.client().call('setCertificateBundle', bundleOf([issue()])), {
    success: true,
    errorCode: { error: 'None' },
  });
  const all = (await publicPaths(scanner)).map(get).join('');
  await expectBounded(scanner, { port: Number(scanner.httpPort) }, all);
  await expectBounded(scanner, { port: scanner.httpsPort, tls: true }, get('/openapi.json'));
  await expectBounded(scanner, { port: scanner.httpsPort, tls: true }, all);
});
