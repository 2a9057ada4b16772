import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { service } from '@azimuth/test-support/client';
import { expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';

const isRoot = process.getuid?.() === 0;
/** Without capabilities, root may read only what the mode allows. */
const launcher = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

test.each(['credentials.json', 'parameters.json', 'operating.json', 'firmware.json'])(
  'a %s without the right to read it stays where it is, and counts again when the right is back',
  async (name) => {
    const scannerFolder = new ScannerFolder();
    const first = await scannerFolder.start([], { launcher });
    expectDone(await first.client().write('LocationName', 'stored'));
    await first.client().call('WriteEeprom');
    await first.kill();
    const path = join(scannerFolder.folder, name);
    const before = statSync(path).ino;
    chmodSync(path, 0o000);

    const scanner = await scannerFolder.start([], { launcher });
    const client = scanner.client();
    expect(await client.value('DeviceStatus')).toBe(7);
    if (name === 'credentials.json') {
      expectStatus(await client.post('getChallenge', { data: { user: 'Service' } }), 4);
      expect(scanner.log).toContain('locked: credentials cannot be read');
      expect(await client.value('LocationName')).toBe('stored');
    } else expectDone(await client.call('checkCredentials', undefined, service));
    await scanner.kill();
    expect(statSync(path).ino).toBe(before);
    expect(readdirSync(scannerFolder.folder).filter((file) => file.includes('unreadable'))).toEqual([]);

    chmodSync(path, 0o600);
    const again = (await scannerFolder.start([], { launcher })).client();
    expect(await again.value('DeviceStatus')).toBe(3);
    expect(await again.value('LocationName')).toBe('stored');
    expectDone(await again.call('checkCredentials', undefined, service));
  },
);
