import { service } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { LegacyClient, passwordHash } from '@azimuth/test-support/legacy-client';
import { bootMilliseconds, TestScanner } from '@azimuth/test-support/test-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

const name = 'credentials.json';

/** What a scanner has stored that sends scan data. */
async function used(): Promise<FaultyStorage> {
  const storage = new FaultyStorage();
  const client = (await TestScanner.start({ storage })).client();
  expectDone(await client.write('ScanDataEnable', true));
  expectData(await client.call('WriteEeprom'), { Success: true });
  return storage.afterPowerCut();
}

const damages: readonly (readonly [string, (storage: FaultyStorage) => void])[] = [
  ['cannot be read for its rights', (storage) => storage.failRead(name, 'EACCES')],
  ['cannot be read from a broken disk', (storage) => storage.failRead(name, 'EIO')],
  ['cannot be read while there are too many open files', (storage) => storage.failRead(name, 'EMFILE')],
  ['are damaged', (storage) => void storage.documents.set(name, Buffer.from('damaged'))],
  ['are missing', (storage) => void storage.documents.delete(name)],
];

test.each(damages)(
  'if the credentials %s, nobody logs in over any protocol, and everything else goes on',
  async (_, damage) => {
    const storage = await used();
    damage(storage);
    const scanner = await TestScanner.start({ storage });
    const client = scanner.client();
    expectStatus(await client.post('getChallenge', { data: { user: 'Service' } }), 4);
    for (const name of ['WriteEeprom', 'checkCredentials', 'CreateSessionToken', 'LoadFactoryDefaults'])
      expectStatus(await client.post(name), 4);
    const basic = `Basic ${Buffer.from('Service:servicelevel').toString('base64')}`;
    expectStatus(await client.postText('CreateSessionToken', '{}', { Authorization: basic }), 4);
    const legacy = await LegacyClient.forTest(scanner.service.ports.legacyA ?? 0, 'A');
    expect(await legacy.tryLogin(4, passwordHash('servicelevel'))).toBe(false);
    expect(await client.value('DeviceStatus')).toBe(7);
    expect(await client.value('LocationName')).toBe('not defined');
    await scanner.pass(200);
    expect(scanner.service.telegramsSent).toBeGreaterThan(0);
    expect(JSON.stringify(scanner.log.errors)).toContain('locked: credentials cannot be read');
  },
);

test('credentials that can be read again count from the next boot on', async () => {
  const storage = await used();
  storage.failRead(name, 'EIO');
  const scanner = await TestScanner.start({ storage });
  const client = scanner.client();
  expectStatus(await client.post('getChallenge', { data: { user: 'Service' } }), 4);
  storage.recover();
  const { lifecycle } = scanner.service.device;
  const up = new Promise<void>((resolve) => {
    lifecycle.onUp(resolve);
  });
  lifecycle.reboot();
  scanner.clock.advance(bootMilliseconds);
  await up;
  await until(() => scanner.service.ports.http !== null);
  expectDone(await client.call('checkCredentials', undefined, service));
  expect(await client.value('DeviceStatus')).toBe(3);
});
