import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

const wanted = 10_000;
/** Left for the rest of this process and of the scanner. */
const spareFiles = 500;
const defaultLimit = 1024;
const waitingForRefusal = 64;
const mebibyte = 1024 * 1024;

/** As many as this process may have open, as far as the system tells. */
function openable(): number {
  if (process.platform !== 'linux') return 1500;
  const limit = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return limit === undefined ? wanted : Math.min(wanted, Number(limit) - spareFiles);
}

function halfOpen(port: number, begin: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject).on('error', () => {});
      socket.write(begin);
      resolve(socket.resume());
    });
  });
}

/**
 * Opens so many connections, some at a time, and says on each nothing or the beginning of a request. After some comes
 * another client: it waits behind them to be accepted, and so they do not overflow the queue of the system.
 */
async function flood(port: number, count: number, otherClient: () => Promise<void>): Promise<Socket[]> {
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const beginnings = ['', 'G', 'GET /api/DeviceStatus HTTP/1.1\r\nHost: x\r\n'];
  while (sockets.length < count) {
    const more = Array.from({ length: Math.min(200, count - sockets.length) }, (_, index) =>
      halfOpen(port, beginnings[index % beginnings.length] ?? ''),
    );
    sockets.push(...(await Promise.all(more)));
    await otherClient();
  }
  return sockets;
}

async function expectServed(scanner: ScannerProcess, name: string): Promise<void> {
  const client = scanner.client();
  expectDone(await client.write('LocationName', name));
  expect(await client.value('LocationName')).toBe(name);
}

function residentBytes({ pid }: ScannerProcess): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

function openFiles({ pid }: ScannerProcess): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

test('with ten thousand half-open connections, other clients are served', async () => {
  const scanner = await new ScannerFolder().start();
  const port = scanner.client().port;
  const count = openable();
  let served = 0;
  const sockets = await flood(port, count, async () => {
    expectStatus(await scanner.client().get('DeviceStatus'), 0);
    await expectServed(scanner, `during ${served++}`);
  });
  expect(sockets).toHaveLength(count);
  expect(count).toBeGreaterThan(defaultLimit);
  for (let round = 0; round < 5; round++) {
    for (const socket of sockets) if (socket.writable) socket.write('G');
    await expectServed(scanner, `dribble ${round}`);
  }
});

test.runIf(process.platform === 'linux')(
  'half-open connections take no more files than the limit of connections, and none after they are closed',
  async () => {
    const scanner = await new ScannerFolder().start();
    await expectServed(scanner, 'before');
    const files = openFiles(scanner);
    const resident = residentBytes(scanner);
    for (let round = 0; round < 3; round++) {
      const sockets = await flood(scanner.client().port, openable(), () => expectServed(scanner, 'during'));
      expect(openFiles(scanner)).toBeGreaterThan(files + defaultLimit / 2);
      expect(openFiles(scanner)).toBeLessThanOrEqual(files + defaultLimit + waitingForRefusal);
      for (const socket of sockets) socket.destroy();
      await until(() => openFiles(scanner) <= files);
      await expectServed(scanner, 'after');
    }
    // Three times as many connections take the same: most of it is what the garbage collector has not collected yet.
    expect(residentBytes(scanner) - resident).toBeLessThan(96 * mebibyte);
  },
);
