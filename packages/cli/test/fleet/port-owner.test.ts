import { createServer } from 'node:net';
import { listen, PortTaken } from '@azimuth/http';
import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { expect, onTestFinished, test } from 'vitest';
import { ownPortProblem } from '../../src/fleet/start-reports.js';

/** Returns the message of the system if this cannot be opened. */
async function refusal(host: string, port: number): Promise<PortTaken> {
  const server = createServer();
  const error: unknown = await listen(server, host, port, '--port').catch((reason: unknown) => reason);
  server.close();
  if (error instanceof PortTaken) return error;
  throw new Error('it can be opened');
}

async function takenPort(): Promise<number> {
  const server = createServer();
  onTestFinished(() => void server.close());
  return listen(server, '127.0.0.1', 0, '--port');
}

const ports = (host: string, http: number) => ({ ports: { host, http, https: 0, legacyA: 0, legacyB: 0 } });

test('a port that is taken is told with its scanner, its group and what chooses the port', async () => {
  const port = await takenPort();
  const error = await refusal('127.0.0.1', port);
  const some = scannerFacts(3, (number) => ports('127.0.0.1', port - 2 + number));
  expect(ownPortProblem(error, some, false)).toBe(
    `scanner 2: Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another one with port: or address: of the group hall in the fleet file`,
  );
  expect(ownPortProblem(error, some, true)).toMatch(/, or choose other ports with --own-ports$/);
  const elsewhere = scannerFacts(3, (number) => ports('127.0.0.2', port - 2 + number));
  expect(ownPortProblem(error, elsewhere, false)).toBeUndefined();
  expect(ownPortProblem(error, scannerFacts(3), false)).toBeUndefined();
});

test('an address that this machine does not have is told with its scanner', async () => {
  const error = await refusal('192.0.2.1', 8080);
  expect(
    ownPortProblem(
      error,
      scannerFacts(2, (number) => ports(`192.0.2.${number - 1}`, 8080)),
      false,
    ),
  ).toMatch(/^scanner 2: this machine does not have the address 192\.0\.2\.1\. /);
});
