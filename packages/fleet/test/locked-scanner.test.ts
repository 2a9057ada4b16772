import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Scanner } from '@azimuth/client';
import { temporaryFolder } from '@azimuth/test-support/files';
import { scannerFacts, someFleet, urlOf } from '@azimuth/test-support/some-fleet';
import { expect, test } from 'vitest';
import { journalName } from '../src/store/fleet-store.js';

const password = 'servicelevel';

test('a damaged password of one scanner of a fleet locks that one; the others log in', async () => {
  const data = temporaryFolder();
  const some = await someFleet(scannerFacts(3), { data });
  for (const serial of ['1', '2', '3']) await new Scanner({ url: urlOf(some, serial) }).read('PowerOnCnt');
  await some.end();
  const path = join(data, journalName);
  const journal = readFileSync(path);
  const at = journal.indexOf('"nonceKey"', journal.indexOf('"unit":"2"'));
  journal.writeUInt8(journal.readUInt8(at + 20) ^ 1, at + 20);
  writeFileSync(path, journal);

  const next = await someFleet(scannerFacts(3), { data, passwords: { Service: password } });
  const scanner = (serial: string) => new Scanner({ url: urlOf(next, serial), password });
  await expect(scanner('2').write('LocationName', 'x')).rejects.toThrow('Access Denied');
  expect(await scanner('2').read('DeviceStatus')).toBe(7);
  for (const serial of ['1', '3']) {
    await scanner(serial).write('LocationName', 'open');
    expect(await scanner(serial).read('DeviceStatus')).toBe(3);
  }
});
