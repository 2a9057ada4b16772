import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { expectDone } from '../support/envelope.js';
import { ProcessBench, type ScannerProcess } from '../support/scanner-process.js';
import { until } from '../support/waiting.js';
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

test('on a full disk nothing is stored and nothing lost; with room again the save works', async () => {
  const bench = new ProcessBench();
  const scanner = await bench.start();
  await prepare(scanner);
  fill(scanner);
  await expectNothingStoredOrLost(bench, scanner, told);
  clear(scanner);
  await expectStoringAgain(bench, scanner);
});

test('operating counters that find no room are told in the log, and stored later', async () => {
  const bench = new ProcessBench();
  const scanner = await bench.start();
  const tenth = 360_000;
  fill(scanner);
  const before = documentsOf(bench);
  await scanner.advance(tenth);
  await until(() => scanner.log.includes('The operating counters could not be stored'));
  expect(documentsOf(bench)).toEqual(before);
  clear(scanner);
  await scanner.advance(tenth);
  await until(() => documentsOf(bench) !== before && hours(bench) === 2);
  await scanner.kill();
  const again = (await bench.start()).client();
  expect(await again.value('OpHours')).toBe(2);
  expect(await again.value('PowerOnCnt')).toBe(2);
});

/** Tenths of hours, as they lie on disk. */
function hours(bench: ProcessBench): number {
  const [text = ''] = [...documentsOf(bench).values()].filter((document) =>
    document.includes('operatingMilli'),
  );
  const [, milliseconds] = /"operatingMilliseconds": (\d+)/.exec(text) ?? [];
  return Math.floor(Number(milliseconds) / 360_000);
}

test('a reboot that has nothing to store works on a full disk', async () => {
  const bench = new ProcessBench();
  const scanner = await bench.start();
  await prepare(scanner);
  fill(scanner);
  await scanner.throughReboot(() => scanner.client().call('SoftReset', { ProcessorNbr: 0 }));
  expect(await scanner.client().value('LocationName')).toBe('stored');
  expectDone(await scanner.client().call('checkCredentials'));
});

test('a power cycle waits for room to count it, and says so', async () => {
  const bench = new ProcessBench();
  const scanner = await bench.start();
  fill(scanner);
  await scanner.control('/power-cycle');
  await until(async () => !(await scanner.isUp()));
  await scanner.advance(scanner.bootTime * 1000);
  await until(() => scanner.log.includes('The scanner could not come up again'));
  clear(scanner);
  await scanner.boot();
  expect(await scanner.client().value('PowerOnCnt')).toBe(2);
});

test.each([0, room])(
  'a start that finds room for %i bytes is refused in a line, and harms nothing',
  async (bytes) => {
    const bench = new ProcessBench();
    const scanner = await bench.start();
    await prepare(scanner);
    await scanner.kill();
    const before = documentsOf(bench);
    const launcher = ['prlimit', `--fsize=${bytes}:`];
    const { code, stdout, log } = await bench.refuse([], { launcher });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(log).toMatch(new RegExp(`^azimuth: ${bench.folder}: file too large \\(EFBIG\\)$`, 'm'));
    expect(log).not.toMatch(/^\s+at /m);
    expect(documentsOf(bench)).toEqual(before);
    const client = (await bench.start()).client();
    expect(await client.value('LocationName')).toBe('stored');
    expect(await client.value('PowerOnCnt')).toBe(2);
    expect(await client.value('DeviceStatus')).toBe(3);
  },
);
