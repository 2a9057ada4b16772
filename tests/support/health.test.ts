import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { expectWritten } from './envelope.js';
import { Health } from './health.js';
import { number } from './json.js';
import { listening } from './listening.js';
import { ScannerFolder, type ScannerProcess } from './scanner-process.js';
import { until } from './waiting.js';

/** Enables the scan data stream over TCP at a port that is in use. */
async function streamAt(scanner: ScannerProcess, port: number): Promise<void> {
  const client = scanner.client();
  await expectWritten(client, 'ScanDataEthSettings', { Protocol: 2, IPAddress: [127, 0, 0, 1], Port: port });
  await expectWritten(client, 'ScanDataEnable', true);
  await until(() => scanner.log.includes(`Port ${port} on 127.0.0.1 is in use`));
}

test('another program at the port of a stream is not an error of the scanner', async () => {
  const scanner = await new ScannerFolder().start();
  const health = new Health(scanner);
  await streamAt(scanner, await listening(createServer()));
  expect(() => health.check()).not.toThrow();
});

test('a scanner that listens at the port of its own stream already is an error', async () => {
  const scanner = await new ScannerFolder().start();
  const health = new Health(scanner);
  await streamAt(scanner, number(scanner.httpPort));
  expect(() => health.check()).toThrow(/the log says: .*is in use/);
});
