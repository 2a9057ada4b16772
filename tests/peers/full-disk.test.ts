import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expectDone } from '@azimuth/test-support/envelope';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { documentsOf, expectNothingStoredOrLost, expectStoringAgain, prepare } from './unwritable.js';

// A file system of a few bytes needs rights that few test machines give. A limit on the size of files needs none, and
// does the same to a writer: so much goes to disk, and the rest is refused.
const room = 50;

function fill(scanner: ScannerProcess): void {
  execFileSync('prlimit', ['--pid', String(scanner.pid), `--fsize=${room}:`]);
}

function clear(scanner: ScannerProcess): void {
  execFileSync('prlimit', ['--pid', String(scanner.pid), '--fsize=unlimited:']);
}

const told = /: EFBIG: file too large; make room there, then try again$/;

test('on a full disk, a save fails and keeps the stored values; with space again, it works', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start();
  await prepare(scanner);
  fill(scanner);
  await expectNothingStoredOrLost(scannerFolder, scanner, told);
  clear(scanner);
  await expectStoringAgain(scannerFolder, scanner);
});

test('operating counters that do not fit on the disk are logged, and stored later', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start();
  const tenth = 360_000;
  fill(scanner);
  const before = documentsOf(scannerFolder);
  await scanner.advance(tenth);
  await until(() => scanner.log.includes('The operating counters could not be stored'));
  expect(documentsOf(scannerFolder)).toEqual(before);
  clear(scanner);
  await scanner.advance(tenth);
  await until(() => documentsOf(scannerFolder) !== before && hours(scannerFolder) === 2);
  await scanner.kill();
  const again = (await scannerFolder.start()).client();
  expect(await again.value('OpHours')).toBe(2);
  expect(await again.value('PowerOnCnt')).toBe(2);
});

/** Tenths of hours, as they lie on disk. */
function hours(scannerFolder: ScannerFolder): number {
  const [text = ''] = [...documentsOf(scannerFolder).values()].filter((document) =>
    document.includes('operatingMilli'),
  );
  const [, milliseconds] = /"operatingMilliseconds": (\d+)/.exec(text) ?? [];
  return Math.floor(Number(milliseconds) / 360_000);
}

test('a reboot without anything to store works on a full disk', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start();
  await prepare(scanner);
  fill(scanner);
  await scanner.throughReboot(() => scanner.client().call('SoftReset', { ProcessorNbr: 0 }));
  expect(await scanner.client().value('LocationName')).toBe('stored');
  expectDone(await scanner.client().call('checkCredentials'));
});

test('a power cycle waits until its counter fits on the disk, and the log contains the reason', async () => {
  const scannerFolder = new ScannerFolder();
  const scanner = await scannerFolder.start();
  fill(scanner);
  await scanner.control('/power-cycle');
  await until(async () => !(await scanner.isUp()));
  await scanner.advance(scanner.bootTime * 1000);
  await until(() => scanner.log.includes('The scanner could not boot'));
  clear(scanner);
  await scanner.boot();
  expect(await scanner.client().value('PowerOnCnt')).toBe(2);
});

test.each([0, room])(
  'a start with %i free bytes is refused in one line and changes no file',
  async (bytes) => {
    const scannerFolder = new ScannerFolder();
    const scanner = await scannerFolder.start();
    await prepare(scanner);
    await scanner.kill();
    const before = documentsOf(scannerFolder);
    const launcher = ['prlimit', `--fsize=${bytes}:`];
    const { code, stdout, log } = await scannerFolder.refuse([], { launcher });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(log).toMatch(new RegExp(`^azimuth: ${scannerFolder.folder}: file too large \\(EFBIG\\)$`, 'm'));
    expect(log).not.toMatch(/^\s+at /m);
    expect(documentsOf(scannerFolder)).toEqual(before);
    const client = (await scannerFolder.start()).client();
    expect(await client.value('LocationName')).toBe('stored');
    expect(await client.value('PowerOnCnt')).toBe(2);
    expect(await client.value('DeviceStatus')).toBe(3);
  },
);

test('on a full disk, saves of a fleet fail, reads go on, and nothing that was saved is lost', async () => {
  const data = join(temporaryFolder(), 'data');
  const words = ['--count', '5', '--data', data];
  const fleet = await FleetProcess.start(...words);
  const scanner = fleet.scanner('10000001');
  await scanner.write('LocationName', 'stored');
  await scanner.call('WriteEeprom');
  const { size } = statSync(join(data, 'journal'));
  const limit = (bytes: string) =>
    execFileSync('prlimit', ['--pid', String(fleet.child.pid), `--fsize=${bytes}:`]);
  limit(String(size + room));
  await scanner.write('LocationName', 'too much');
  for (let attempt = 0; attempt < 3; attempt++) {
    await expect(scanner.call('WriteEeprom')).rejects.toThrow(/EFBIG: file too large; make room there/);
  }
  expect(statSync(join(data, 'journal')).size).toBe(size);
  expect(await scanner.read('LocationName')).toBe('too much');
  limit('unlimited');
  await scanner.write('LocationName', 'stored again');
  await scanner.call('WriteEeprom');
  await fleet.end('SIGKILL');
  const again = await FleetProcess.start(...words);
  expect(await again.scanner('10000001').read('LocationName')).toBe('stored again');
  expect(await again.scanner('10000002').read('PowerOnCnt')).toBe(2);
});
