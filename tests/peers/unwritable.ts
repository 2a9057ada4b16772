import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { authorizedClient, type Client, dataOf, maintenance, statusOf } from '@azimuth/test-support/client';
import { detailOf, expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import type { JsonObject } from '@azimuth/test-support/json';
import type { ScannerFolder, ScannerProcess } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect } from 'vitest';
import { storingActs } from './storing-acts.js';

/** Something to come back to: a stored value, another one in force, and a level that may log in. */
export async function prepare(scanner: ScannerProcess): Promise<void> {
  const client = scanner.client();
  expectData(await client.call('EnableUserLevel', { userLevel: 2, isEnabled: true }), { result: 0 });
  expectDone(await client.write('LocationName', 'stored'));
  expectData(await client.call('WriteEeprom'), { Success: true });
  expectDone(await client.write('LocationName', 'working'));
}

export function documentsOf(scannerFolder: ScannerFolder): ReadonlyMap<string, string> {
  const names = readdirSync(scannerFolder.folder).filter((name) => name.endsWith('.json'));
  return new Map(names.map((name) => [name, readFileSync(join(scannerFolder.folder, name), 'latin1')]));
}

async function stateOf(client: Client): Promise<JsonObject> {
  return {
    stored: dataOf(await client.send({ method: 'GET', path: '/x/stored' })),
    working: await client.value('LocationName'),
    status: await client.value('DeviceStatus'),
    saved: [await client.value('LastParaDate'), await client.value('LastParaTime')],
    webserver: dataOf(await client.post('GetWebserverEnabled')),
    maintenance: statusOf(await client.call('checkCredentials', undefined, maintenance)),
    client: statusOf(await client.call('checkCredentials', undefined, authorizedClient)),
  };
}

/**
 * While nothing can be written: everything that stores is status 3, says what is wrong, what helps, and nothing about
 * our machine; the log says it; and all is as it was.
 */
export async function expectNothingStoredOrLost(
  scannerFolder: ScannerFolder,
  scanner: ScannerProcess,
  told: RegExp,
): Promise<void> {
  const client = scanner.client();
  const before = { state: await stateOf(client), documents: documentsOf(scannerFolder) };
  for (const [name, act] of Object.entries(storingActs)) {
    const logged = scanner.log.length;
    const reply = await act(client);
    expectStatus(reply, 3);
    expect(detailOf(reply), name).toMatch(/^the (parameters|passwords|certificates) could not be stored: /);
    expect(detailOf(reply), name).toMatch(told);
    expect(detailOf(reply), name).not.toContain('/');
    await until(() => scanner.log.slice(logged).includes('could not be stored'));
    expect({ state: await stateOf(client), documents: documentsOf(scannerFolder) }, name).toEqual(before);
  }
  expect(await scanner.isUp()).toBe(true);
}

/** When it can be written again, everything that stores works, and outlives a power cut. */
export async function expectStoringAgain(
  scannerFolder: ScannerFolder,
  scanner: ScannerProcess,
): Promise<void> {
  const client = scanner.client();
  expect(await client.value('LocationName')).toBe('working');
  expectData(await client.call('WriteEeprom'), { Success: true });
  expectData(await client.call('EnableUserLevel', { userLevel: 3, isEnabled: true }), { result: 0 });
  expectData(await client.call('SetPassword', { siUserLevel: 2, udiNewPassword: 4711 }), { bSuccess: true });
  await scanner.kill();
  const again = (await scannerFolder.start()).client();
  expect(await again.value('LocationName')).toBe('working');
  expect(await again.value('DeviceStatus')).toBe(3);
  expectDone(await again.call('checkCredentials', undefined, authorizedClient));
}
