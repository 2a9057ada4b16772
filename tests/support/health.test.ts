import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { expectWritten } from './envelope.js';
import { Health } from './health.js';
import { number } from './json.js';
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
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  const scanner = await new ScannerFolder().start();
  const health = new Health(scanner);
  await streamAt(scanner, address.port);
  health.check();
});

test('a scanner that listens at the port of its own stream already is an error', async () => {
  const scanner = await new ScannerFolder().start();
  const health = new Health(scanner);
  await streamAt(scanner, number(scanner.httpPort));
  expect(() => health.check()).toThrow(/the log says: .*is in use/);
});
