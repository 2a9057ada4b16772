import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, dataOf, type HttpResponse } from '@azimuth/test-support/client';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { firmware, signer } from '@azimuth/test-support/firmware';
import { string } from '@azimuth/test-support/json';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';

const writing = 1000;
const finished = 2000;

function put(client: Client, file: Buffer, token?: string): Promise<HttpResponse> {
  const headers = {
    'Content-Type': 'application/octet-stream',
    ...(token === undefined ? {} : { 'X-Session-Token': token }),
  };
  return client.send({ method: 'PUT', path: '/api/update', headers, body: file });
}

async function state(client: Client): Promise<unknown[]> {
  return [await client.value('UpdateState'), await client.value('DeviceStatus')];
}

/** Moves the clock on until the file that is being written is. */
async function untilFinished(scanner: ScannerProcess): Promise<void> {
  const client = scanner.client();
  await until(async () => {
    await scanner.advance(writing / 4);
    return (await client.value('UpdateState')) !== 1;
  });
  expect(await state(client)).toEqual([2, 2]);
}

describe('a firmware update', () => {
  test('with a signed file and a token: 0, 1, 2, a reboot, and the scanner is the new release with its parameters', async () => {
    const scannerFolder = new ScannerFolder();
    const keyFile = join(scannerFolder.folder, 'key.pem');
    const key = signer(keyFile);
    const scanner = await scannerFolder.start(['--firmware', '2.3.1', '--firmware-key', keyFile]);
    const client = scanner.client();
    expectDone(await client.write('LocationName', 'Gate 3'));
    expectData(await client.call('WriteEeprom'), { Success: true });
    expect((await client.get('ContaminationActiveSectors')).text).toContain('"status":5');
    const token = string(dataOf(await client.call('CreateSessionToken')).token);
    expect((await put(client, firmware({ key }))).httpStatus).toBe(403);
    expectDone(await put(client, firmware({ key }), token));
    expect(await state(client)).toEqual([0, 3]);
    expectDone(await client.call('RunFirmwareUpdate'));
    expect(await state(client)).toEqual([1, 2]);
    await untilFinished(scanner);
    await scanner.throughReboot(() => scanner.advance(finished));
    expect(await state(client)).toEqual([0, 3]);
    expect(dataOf(await client.get('DeviceIdent')).Version).toBe('2.4.4.0R');
    expect(await client.value('LocationName')).toBe('Gate 3');
    expect(await client.value('ContaminationActiveSectors')).toHaveLength(7);
    expect(readdirSync(scannerFolder.folder)).not.toContain('firmware.spk');
    await scanner.kill();
    const again = (await scannerFolder.start()).client();
    expect(await again.value('FirmwareVersion')).toBe('2.4.4.0R');
    expect(await again.value('LocationName')).toBe('Gate 3');
  });
});

describe('a transfer', () => {
  const largest = 104_857_600;

  test('of 100 MB is stored unchanged with little memory, twice in succession', async () => {
    const scannerFolder = new ScannerFolder();
    const scanner = await scannerFolder.start(['--firmware', '2.2.0']);
    const client = scanner.client();
    expectDone(await put(client, firmware()));
    const before = memoryOf(scanner);
    const file = Buffer.alloc(largest, 'firmware');
    for (let time = 0; time < 2; time++) expectDone(await put(client, file));
    expect(readFileSync(join(scannerFolder.folder, 'firmware.spk')).equals(file)).toBe(true);
    // Node lets some 32 MB of what has come pile up outside its heap before its collector looks.
    expect(memoryOf(scanner) - before).toBeLessThan(48 * 1024 * 1024);
  });

  test('of a large valid file is checked without delaying other clients', async () => {
    const scannerFolder = new ScannerFolder();
    const scanner = await scannerFolder.start(['--firmware', '1.4.0']);
    const client = scanner.client();
    expectDone(await put(client, firmware({ payload: Buffer.alloc(100_000_000, 'x') })));
    const before = memoryOf(scanner);
    expectDone(await client.call('RunFirmwareUpdate'));
    let slowest = 0;
    await until(async () => {
      const begun = performance.now();
      const value = await client.value('UpdateState');
      slowest = Math.max(slowest, performance.now() - begun);
      if (value === 1) await scanner.advance(writing);
      return value !== 1;
    });
    expect(await state(client)).toEqual([2, 2]);
    expect(slowest).toBeLessThan(5000);
    expect(memoryOf(scanner) - before).toBeLessThan(50 * 1024 * 1024);
  });
});

/** The most memory (bytes) that a scanner ever had resident. */
function memoryOf(scanner: ScannerProcess): number {
  const [, kibibytes] =
    /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${scanner.pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}
