import { dataOf, type HttpResponse } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { listens, RawConnection } from '@azimuth/test-support/raw-connection';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, onTestFinished, test } from 'vitest';

async function openAndUse(port: number): Promise<RawConnection> {
  const connection = await RawConnection.open(port);
  onTestFinished(() => connection.destroy());
  connection.request('GET /api/DeviceStatus', ['Connection: keep-alive']);
  expect((await connection.response()).statusLine).toContain('200');
  return connection;
}

// These requests of one client also show that there is no rate limit by default.
test('three hundred connections are served at once by default', async () => {
  const scanner = await new ScannerFolder().start();
  const port = scanner.client().port;
  const connections = await Promise.all(Array.from({ length: 300 }, () => openAndUse(port)));
  for (const connection of connections) connection.request('GET /api/DeviceStatus');
  for (const connection of connections) expect((await connection.response()).body).toContain('"status":0');
});

function isLimited(reply: HttpResponse): boolean {
  return reply.httpStatus === 429;
}

test('a write above the rate of --rate-limit gets HTTP 429 and is not done', async () => {
  const scanner = await new ScannerFolder().start(['--rate-limit', '4']);
  const client = scanner.client();
  const header = await client.header('LocationName');
  let reply = await client.get('DeviceStatus');
  while (!isLimited(reply)) reply = await client.get('DeviceStatus');
  const write = await client.post('LocationName', { header, data: { LocationName: 'too fast' } });
  expect(write.httpStatus).toBe(429);
  await until(async () => {
    const read = await client.get('LocationName');
    return !isLimited(read) && dataOf(read).LocationName === 'not defined';
  });
});

test('SIGTERM ends the scanner with code 0, and its ports are free', async () => {
  const scanner = await new ScannerFolder().start();
  const port = scanner.client().port;
  const idle = await openAndUse(port);
  const { code } = await scanner.stop();
  expect(code).toBe(0);
  await idle.closed;
  expect(await listens(port)).toBe(false);
  expect(await listens(scanner.controlPort)).toBe(false);
});

const name = 'distinctive location';

describe('two processes', () => {
  test('on one folder: the second does not start and prints the reason, the first is not affected', async () => {
    const scannerFolder = new ScannerFolder();
    const first = await scannerFolder.start();
    const { code, stdout, log } = await scannerFolder.refuse();
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(log).toMatch(
      new RegExp(
        `^azimuth: ${scannerFolder.folder} is in use by process ${first.pid}\\. Stop that process`,
        'm',
      ),
    );
    expect(log).not.toMatch(/^\s+at /m);
    expectStatus(await first.client().get('DeviceStatus'), 0);
    expect(await first.client().value('PowerOnCnt')).toBe(1);
    expectDone(await first.client().write('LocationName', name));
    expectData(await first.client().call('WriteEeprom'), { Success: true });
    await first.kill();
    const again = (await scannerFolder.start()).client();
    expect(await again.value('LocationName')).toBe(name);
    expect(await again.value('PowerOnCnt')).toBe(2);
  });

  test('on one port: the second ends with a clear line, the first is not affected', async () => {
    const first = await new ScannerFolder().start();
    const port = String(first.client().port);
    const { code, stdout, log } = await new ScannerFolder().refuse(['--port', port]);
    expect(code).toBeGreaterThan(0);
    expect(stdout).toBe('');
    expect(log).toContain(port);
    expect(log).not.toMatch(/^\s+at /m);
    expectStatus(await first.client().get('DeviceStatus'), 0);
  });
});
