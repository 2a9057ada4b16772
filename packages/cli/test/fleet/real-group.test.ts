import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isReal } from '@azimuth/fleet';
import { temporaryFolder } from '@azimuth/test-support/files';
import { expect, test } from 'vitest';
import { packedFleet, scannersOfApplied } from '../../src/fleet/applied-fleet.js';
import { scannersOfFile } from '../../src/fleet/fleet-file.js';
import { passwordOpener, sealedText } from '../../src/fleet/sealed-password.js';

function fileWith(text: string, password = 'known to few\n', mode = 0o600): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'password'), password);
  chmodSync(join(folder, 'password'), mode);
  writeFileSync(join(folder, 'fleet.yaml'), text);
  return join(folder, 'fleet.yaml');
}

const withPassword = `
groups:
  yard:
    urls: {"23450001": http://192.168.0.1, "023450002": 192.168.0.2}
    password-file: password
`;

test('a group with urls has real scanners, and keeps its password sealed', async () => {
  const scanners = (await scannersOfFile(fileWith(withPassword))).filter(isReal);
  expect(scanners.map(({ serial, group, url }) => [serial, group, url])).toEqual([
    ['23450001', 'yard', 'http://192.168.0.1'],
    ['023450002', 'yard', 'http://192.168.0.2'],
  ]);
  const [first] = scanners;
  if (first === undefined) throw new Error('no scanner');
  expect(Buffer.from(first.credentials?.sealed ?? []).toString('latin1')).not.toContain('known');
  expect(JSON.stringify(scanners)).not.toContain('known');
  expect(passwordOpener()(first)).toBe('known to few');
});

test('the database gets the password sealed with the key of the deployment, which opens it again', async () => {
  const keys = ['a key of 16 characters or more'] as const;
  const packed = await packedFleet(fileWith(withPassword), {
    seal: (group, password) => sealedText(keys, group, password),
  });
  const stored = [packed.yaml, ...packed.files.values()].map(String).join('\n');
  expect(stored).not.toContain('known to few');
  const [applied] = (await scannersOfApplied(packed)).filter(isReal);
  if (applied === undefined) throw new Error('no scanner');
  expect(passwordOpener(keys)(applied)).toBe('known to few');
  expect(() => passwordOpener(['another key of the deployment'])(applied)).toThrow(/cannot be opened/);
});

test.each([
  ['urls: [http://192.168.0.1]', /urls: expected serial numbers with their URLs/],
  ['urls: {"1": http://169.254.169.254}', /no address of a scanner/],
  ['urls: {"1": "http://me:secret@192.168.0.1"}', /1: a URL has no password: use password-file/],
  ['urls: {"1": http://192.168.0.1/path}', /it has no path/],
  ['urls: {"1": ftp://192.168.0.1}', /expected a URL as http/],
  ['urls: {"no serial": http://192.168.0.1}', /expected a serial number/],
  ['urls: {007: http://192.168.0.1}', /expected quotes around it, as "007"/],
  ['urls: {"1": http://192.168.0.1}, user: Service', /expected password-file, too/],
  ['urls: {"1": http://192.168.0.1}, count: 3', /there is no member "count"/],
])('%s is a mistake', async (members, mistake) => {
  const failure = await scannersOfFile(fileWith(`groups: {yard: {${members}}}`)).catch(String);
  expect(failure).toMatch(mistake);
  expect(failure).not.toContain('secret');
});

test('a password that others may read, and a serial number of two groups, are mistakes', async () => {
  await expect(scannersOfFile(fileWith(withPassword, 'x', 0o644))).rejects.toThrow(/chmod 600 password/);
  const twice = 'groups: {a: {urls: {"1": http://10.0.0.1}}, b: {count: 1, serial: "1"}}';
  await expect(scannersOfFile(fileWith(twice))).rejects.toThrow(/serial number 1 is also in a/);
});
