import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataOf } from '@azimuth/test-support/client';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { expect, onTestFinished, test } from 'vitest';

// Rights of files mean nothing to root: there the scanner is started without what makes him so.
const isRoot = process.getuid?.() === 0;
const launcher = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

function plugFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-plug-'));
  onTestFinished(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

async function save(scanner: ScannerProcess, name: string): Promise<void> {
  expectDone(await scanner.client().write('LocationName', name));
  expectData(await scanner.client().call('WriteEeprom'), { Success: true });
}

async function plugOf(scanner: ScannerProcess) {
  return dataOf(await scanner.client().send({ method: 'GET', path: '/x/plug' })).plug;
}

const contentOf = (plug: string) => readFileSync(join(plug, 'system-plug.json'), 'utf8');

test('a read-only plug is taken once, reported, and written when it can be', async () => {
  const plug = plugFolder();
  const flags = ['--system-plug', plug];
  const first = await new ScannerFolder().start([...flags, '--serial', '23450001'], { launcher });
  await save(first, 'Gate 3');
  await first.stop();
  chmodSync(plug, 0o500);
  const folder = new ScannerFolder();
  const second = await folder.start([...flags, '--serial', '23450002'], { launcher });
  expect(await second.client().value('LocationName')).toBe('Gate 3');
  expect(await plugOf(second)).toMatchObject({ State: 6, Fault: 'EACCES: permission denied' });
  await save(second, 'Gate 4');
  await second.kill();
  const again = await folder.start(flags, { launcher });
  expect(await again.client().value('LocationName')).toBe('Gate 4');
  expect(contentOf(plug)).toContain('"Gate 3"');
  chmodSync(plug, 0o700);
  await save(again, 'Gate 4');
  expect(contentOf(plug)).toContain('"Gate 4"');
  expect(await again.client().value('DeviceStatus')).toBe(3);
});

test('a full plug is reported, keeps its old file, and fails no save', async () => {
  const plug = plugFolder();
  const scanner = await new ScannerFolder().start(['--system-plug', plug]);
  await save(scanner, 'Gate 3');
  const before = contentOf(plug);
  // The file on the plug is larger than each document of the scanner.
  const room = Buffer.byteLength(before) - 1;
  execFileSync('prlimit', ['--pid', String(scanner.pid), `--fsize=${room}:`]);
  await save(scanner, 'Gate 44');
  expect(await plugOf(scanner)).toMatchObject({ State: 6, Fault: 'EFBIG: file too large' });
  expect(await scanner.client().value('DeviceStatus')).toBe(5);
  expect(contentOf(plug)).toBe(before);
  expect(readdirSync(plug).sort()).toEqual(['lock', 'system-plug.json']);
  execFileSync('prlimit', ['--pid', String(scanner.pid), '--fsize=unlimited:']);
  await scanner.powerCycle();
  expect(contentOf(plug)).toContain('"Gate 44"');
  expect(await scanner.client().value('LocationName')).toBe('Gate 44');
});
