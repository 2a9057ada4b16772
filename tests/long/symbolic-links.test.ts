import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { bundleOf, issue } from '@azimuth/test-support/certificates';
import { type Client, dataOf, statusOf } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { ScannerFolder, type ScannerProcess, temporaryFolder } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';

/** Puts a link in the place of a file; what it leads to is as good as the file was. */
function linkTo(path: string): string {
  const outside = join(temporaryFolder(), 'outside');
  renameSync(path, outside);
  symlinkSync(outside, path);
  return outside;
}

/** A folder in which everything is that a scanner keeps. */
async function kept(): Promise<ScannerFolder> {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start(['--firmware', '2.2.0']);
  const client = scanner.client();
  expectDone(await client.write('LocationName', 'stored'));
  expectData(await client.call('WriteEeprom'), { Success: true });
  expectData(await client.call('CreateParameterBackup'), { Result: true });
  expect((await client.send({ method: 'PUT', path: '/api/update', body: 'firmware' })).httpStatus).toBe(200);
  await scanner.stop();
  return scannerFolder;
}

const documents = ['parameters.json', 'credentials.json', 'firmware.json', 'identity.json', 'operating.json'];

/** Lines of the log about a link in the place of this file. */
const told = ({ log }: ScannerProcess, name: string) =>
  log.split('\n').filter((line) => line.includes(`${name} is a symbolic link`));

test.each(documents)('%s: a link is not followed, but set aside like a damaged document', async (name) => {
  const scannerFolder = await kept();
  const outside = linkTo(join(scannerFolder.folder, name));
  const before = readFileSync(outside);
  const scanner = await scannerFolder.start(['--firmware', '2.2.0']);
  const client = scanner.client();
  expect(await client.value('DeviceStatus')).toBe(7);
  expect(await client.value('LocationName')).toBe(name === 'parameters.json' ? 'not defined' : 'stored');
  const [line, ...others] = told(scanner, name);
  expect(others).toEqual([]);
  const [, setAside = ''] = /"setAside":"([^"]+)"/.exec(line ?? '') ?? [];
  expect(readlinkSync(join(scannerFolder.folder, setAside))).toBe(outside);
  // Nothing is written through it either.
  if (name === 'credentials.json')
    expectStatus(await client.post('getChallenge', { data: { user: 'Service' } }), 4);
  else expectData(await client.call('WriteEeprom'), { Success: true });
  await scanner.stop();
  expect(readFileSync(outside)).toEqual(before);
  if (existsSync(join(scannerFolder.folder, name)))
    expect(lstatSync(join(scannerFolder.folder, name)).isFile()).toBe(true);
});

test('detections.json: a history behind a link is not returned', async () => {
  const scannerFolder = new ScannerFolder();
  const outside = join(temporaryFolder(), 'outside');
  writeFileSync(outside, '{"format":1}');
  symlinkSync(outside, join(scannerFolder.folder, 'detections.json'));
  const scanner = await scannerFolder.start();
  expect(told(scanner, 'detections.json')).toHaveLength(1);
});

test('certificates.json: the certificates behind a link are not served', async () => {
  const scannerFolder = new ScannerFolder();
  const first = await scannerFolder.start();
  await first.client().call('setCertificateBundle', bundleOf([issue({ name: 'localhost' })]));
  await first.stop();
  linkTo(join(scannerFolder.folder, 'certificates.json'));
  const scanner = await scannerFolder.start();
  expect(told(scanner, 'certificates.json')).toHaveLength(1);
  const reply = await scanner.client().get('httpsStatus');
  expect(reply.text).toContain('The certificate bundle is lost');
});

test('parameterbackup: a file behind a link is neither sent nor restored', async () => {
  const scannerFolder = await kept();
  linkTo(join(scannerFolder.folder, 'parameterbackup'));
  const scanner = await scannerFolder.start(['--firmware', '2.2.0']);
  const client = scanner.client();
  const reply = await client.send({ method: 'GET', path: '/api/parameterbackup' });
  expect([reply.httpStatus, statusOf(reply)]).toEqual([404, 5]);
  await until(() => told(scanner, 'parameterbackup').length === 1);
  expect(dataOf(await client.call('RestoreParameterBackup')).RestoreResult).not.toBe(0);
  expectData(await client.call('CreateParameterBackup'), { Result: true });
  expect((await client.send({ method: 'GET', path: '/api/parameterbackup' })).httpStatus).toBe(200);
});

test('firmware.spk: a file behind a link is not installed', async () => {
  const scannerFolder = await kept();
  linkTo(join(scannerFolder.folder, 'firmware.spk'));
  const scanner = await scannerFolder.start(['--firmware', '2.2.0']);
  await scanner.client().call('RunFirmwareUpdate');
  await expect.poll(() => scanner.client().value('UpdateState')).toBe(3);
  await expect.poll(() => told(scanner, 'firmware.spk')).toHaveLength(1);
});

test('cloud.pcd: a file behind a link is not sent', async () => {
  const scannerFolder = new ScannerFolder();
  const outside = join(temporaryFolder(), 'outside');
  writeFileSync(outside, 'secret');
  symlinkSync(outside, join(scannerFolder.folder, 'cloud.pcd'));
  const scanner = await scannerFolder.start();
  const { httpStatus, text } = await scanner.client().send({ method: 'GET', path: '/cloud.pcd' });
  expect(httpStatus, text).toBe(404);
  await until(() => told(scanner, 'cloud.pcd').length === 1);
  expect(existsSync(join(scannerFolder.folder, 'cloud.pcd'))).toBe(false);
  expect(readFileSync(outside, 'utf8')).toBe('secret');
});

test('links at the lock and at temporary names of documents are removed, and their targets stay', async () => {
  const scannerFolder = new ScannerFolder();
  const outside = join(temporaryFolder(), 'outside');
  // As good as a lock: it names a process that lives, and is none of a scanner.
  const holder = await new ScannerFolder().start();
  copyFileSync(join(holder.options.folder, 'lock'), outside);
  const before = readFileSync(outside);
  for (const name of ['lock', 'lock.claim', 'parameters.json.azimuth-unfinished']) {
    symlinkSync(outside, join(scannerFolder.folder, name));
  }
  const scanner = await scannerFolder.start();
  expect(scanner.log).toContain('The lock of the folder is a symbolic link');
  const client = scanner.client();
  expectDone(await client.write('LocationName', 'stored'));
  expectData(await client.call('WriteEeprom'), { Success: true });
  expect(lstatSync(join(scannerFolder.folder, 'lock')).isFile()).toBe(true);
  expect(readFileSync(outside)).toEqual(before);
  expect((await scannerFolder.refuse()).log).toContain('is in use by process');
});

test('the folder itself may be given as a link', async () => {
  const folder = temporaryFolder();
  const link = join(temporaryFolder(), 'data');
  symlinkSync(folder, link);
  const scanner = await new ScannerFolder().start(['--data', link]);
  expectData(await scanner.client().call('WriteEeprom'), { Success: true });
  expect(existsSync(join(folder, 'parameters.json'))).toBe(true);
  expect(scanner.log).not.toContain('symbolic link');
  await scanner.stop();
});

const warning = 'Other users may change the folder of this scanner';

test('the start warns of a folder or file that group or others may write to, and says what to do', async () => {
  const scannerFolder = new ScannerFolder();
  const client = async (): Promise<[ScannerProcess, Client]> => {
    const scanner = await scannerFolder.start();
    return [scanner, scanner.client()];
  };
  const [first, its] = await client();
  expectData(await its.call('SetPassword', { siUserLevel: 2, udiNewPassword: 1 }), { bSuccess: true });
  expect(first.log).not.toContain(warning);
  await first.stop();
  chmodSync(scannerFolder.folder, 0o770);
  chmodSync(join(scannerFolder.folder, 'credentials.json'), 0o602);
  mkdirSync(join(scannerFolder.folder, 'beside'), { mode: 0o777 });
  const [second] = await client();
  await until(() => second.log.includes(warning));
  const line = second.log.split('\n').find((text) => text.includes(warning)) ?? '';
  expect(line).toContain('chmod go-w');
  expect(line).toContain(
    `"paths":["${scannerFolder.folder}","${join(scannerFolder.folder, 'credentials.json')}"]`,
  );
});
