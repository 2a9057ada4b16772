import { type Client, dataOf, type HttpResponse, statusOf } from '@azimuth/test-support/client';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test, vi } from 'vitest';

const detail = 'azimuth-detail';

/** A scanner whose device clock cannot be read. */
async function withBrokenClock() {
  const scanner = await TestScanner.start();
  vi.spyOn(scanner.service.device.features.synchronisation.time, 'now').mockImplementation(() => {
    throw new Error('the calendar is gone');
  });
  return { scanner, client: scanner.client() };
}

function correlationOf(reply: HttpResponse): string {
  return /[0-9a-f]{8}-[0-9a-z]+/.exec(String(reply.headers[detail]))?.[0] ?? 'none';
}

test('a read that fails inside the scanner is status 3 with a correlation; the log has the reason with it', async () => {
  const { scanner, client } = await withBrokenClock();
  const reply = await client.get('LSPdatetime');
  expect(reply.httpStatus).toBe(200);
  expect(reply.text).toBe('{"header":{"status":3,"message":"Internal Server Error"}}');
  const correlation = correlationOf(reply);
  const [line] = scanner.log.errors;
  expect(line?.facts).toMatchObject({ endpoint: 'LSPdatetime', correlation });
  expect(String(line?.facts.reason)).toContain('Error: the calendar is gone');
});

test('the answer contains no internals', async () => {
  const { client } = await withBrokenClock();
  const reply = await client.get('LSPdatetime');
  const told = reply.text + JSON.stringify(reply.headers);
  expect(told).not.toContain('calendar');
  expect(told).not.toContain('.ts');
});

test('after a failure the next request on the same connection is served', async () => {
  const { client } = await withBrokenClock();
  for (let time = 0; time < 3; time++) {
    expect(statusOf(await client.get('LSPdatetime'))).toBe(3);
    expect(await client.value('DeviceStatus')).toBe(3);
    expect(statusOf(await client.write('LocationName', `Gate ${time}`))).toBe(0);
    expect(await client.value('LocationName')).toBe(`Gate ${time}`);
  }
});

test('each failure has a different correlation', async () => {
  const { client } = await withBrokenClock();
  const first = correlationOf(await client.get('LSPdatetime'));
  const second = correlationOf(await client.get('LSPdatetime'));
  expect(first).not.toBe('none');
  expect(second).not.toBe(first);
});

async function withFullDisk(document: string): Promise<{ client: Client; storage: FaultyStorage }> {
  const storage = new FaultyStorage();
  const scanner = await TestScanner.start({ storage });
  storage.fail(document);
  return { client: scanner.client(), storage };
}

test('a save on a full disk is status 3 with a clear detail, and works when there is space', async () => {
  const { client, storage } = await withFullDisk('parameters.json');
  await client.write('LocationName', 'Gate 3');
  const reply = await client.call('WriteEeprom');
  expect(statusOf(reply)).toBe(3);
  expect(reply.headers[detail]).toContain('could not be stored: ENOSPC: no space left on device');
  expect(await client.value('LocationName')).toBe('Gate 3');
  expect(await client.stored('LocationName')).not.toBe('Gate 3');
  storage.recover();
  expect(dataOf(await client.call('WriteEeprom'))).toEqual({ Success: true });
  expect(await client.stored('LocationName')).toBe('Gate 3');
});

test('RebootDevice on a full disk is status 3, and the scanner stays up', async () => {
  const { client } = await withFullDisk('parameters.json');
  expect(statusOf(await client.call('RebootDevice'))).toBe(3);
  expect(await client.value('DeviceStatus')).toBe(3);
});

test('a password change on a full disk is status 3 with a clear detail, and the old password stays', async () => {
  const { client } = await withFullDisk('credentials.json');
  const reply = await client.call('SetPassword', { siUserLevel: 4, udiNewPassword: 1 });
  expect(statusOf(reply)).toBe(3);
  expect(reply.headers[detail]).toContain('ENOSPC: no space left on device');
  expect(statusOf(await client.call('checkCredentials'))).toBe(0);
});
