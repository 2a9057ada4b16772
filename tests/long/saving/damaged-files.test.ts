import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { service } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { filesIn } from '@azimuth/test-support/files';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { expect, test } from 'vitest';

const documents = [
  ['parameters.json', 'The stored parameters are lost; factory defaults are in force'],
  ['credentials.json', 'locked: credentials cannot be read'],
  [
    'firmware.json',
    'The release of this scanner cannot be read; it runs the requested release, or else the newest',
  ],
  ['identity.json', 'The serial number cannot be read; the scanner gets a new one'],
  ['operating.json', 'The operating counters are lost and start at zero'],
] as const;

/** Some of them at one place; every byte and every bit of each is the matter of the device's own tests. */
const damages: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
  ['cut off', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['with a flipped bit', (bytes) => flipped(bytes, bytes.indexOf('checksum'))],
  ['of zeros, as file systems leave it', (bytes) => Buffer.alloc(bytes.length)],
];

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 4;
  return copy;
}

const cases = documents.flatMap(([name, line], index) =>
  damages.slice(index % 3, (index % 3) + 1).map(([damage, apply]) => ({ name, line, damage, apply })),
);

test.each(cases)(
  'a $name that is $damage is set aside and never overwritten, with DeviceStatus 7 and a line in the log',
  async ({ name, line, apply }) => {
    const scannerFolder = new ScannerFolder();
    const before = await scannerFolder.start();
    expectDone(await before.client().write('LocationName', 'stored'));
    expectData(await before.client().call('WriteEeprom'), { Success: true });
    await before.kill();
    const path = join(scannerFolder.folder, name);
    const damaged = apply(readFileSync(path));
    writeFileSync(path, damaged);

    const scanner = await scannerFolder.start();
    const client = scanner.client();
    expect(await client.value('DeviceStatus')).toBe(7);
    const told = scanner.log.split('\n').filter((text) => text.includes(`"msg":"${line}"`));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`"document":"${name}","setAside":"${name}.unreadable-`);
    expect(await client.value('LocationName')).toBe(name === 'parameters.json' ? 'not defined' : 'stored');

    // Whatever the scanner stores from here on, what was set aside stays as it was found.
    const isLocked = name === 'credentials.json';
    if (isLocked) expectStatus(await client.post('getChallenge', { data: { user: 'Service' } }), 4);
    else expectData(await client.call('WriteEeprom'), { Success: true });
    await scanner.advance(360_000);
    await scanner.kill();
    const again = await scannerFolder.start(isLocked ? ['--reset-passwords'] : []);
    expectDone(await again.client().call('checkCredentials', undefined, service));
    expect(await again.client().value('DeviceStatus')).toBe(3);
    const asides = filesIn(scannerFolder.folder).filter(({ path }) => path.includes('.unreadable-'));
    expect(asides.map(({ content }) => content)).toEqual([damaged]);
  },
);
