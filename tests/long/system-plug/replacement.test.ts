import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataOf, statusOf } from '@azimuth/test-support/client';
import { expectData, expectDone } from '@azimuth/test-support/envelope';
import { object, parse } from '@azimuth/test-support/json';
import { ScannerFolder, type ScannerProcess, temporaryFolder } from '@azimuth/test-support/scanner-process';
import { expect, onTestFinished, test } from 'vitest';

const file = 'system-plug.json';

function plugFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function plugOf(scanner: ScannerProcess) {
  return dataOf(await scanner.client().send({ method: 'GET', path: '/x/plug' })).plug;
}

async function save(scanner: ScannerProcess, name: string, address: readonly number[]): Promise<void> {
  const client = scanner.client();
  expectDone(await client.write('LocationName', name));
  expectDone(await client.write('EtherIPAddress', address));
  expectData(await client.call('WriteEeprom'), { Success: true });
}

test('a new scanner with the plug of a dead one comes up as the dead one, with its own number and passwords', async () => {
  const plug = plugFolder();
  const flags = ['--system-plug', plug];
  const dead = await new ScannerFolder().start([...flags, '--serial', '23450001'], {
    env: { AZIMUTH_PASSWORD_MAINTENANCE: 'of the dead one' },
  });
  await save(dead, 'Gate 3', [127, 0, 0, 42]);
  expectDone(await dead.client().write('LocationName', 'not saved'));
  const exit = await dead.kill();
  expect(exit.log).not.toContain('cannot be used');
  expect(statSync(join(plug, file)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(plug, file), 'utf8')).not.toMatch(/of the dead one|not saved|password/i);

  const folder = new ScannerFolder();
  const scanner = await folder.start([...flags, '--network', 'rebind', '--host', '127.0.0.1']);
  expect(scanner.log).toContain('has taken the parameters on the system plug');
  const state = object(parse((await scanner.control('/')).text));
  expect(object(state.http).host).toBe('127.0.0.42');
  expect(object(state.plug)).toMatchObject({ folder: plug, state: 'CURRENT', fault: '' });
  await scanner.kill();

  const reached = await folder.start(flags);
  const client = reached.client();
  expect(await client.value('LocationName')).toBe('Gate 3');
  expect(await client.value('EtherIPAddress')).toEqual([127, 0, 0, 42]);
  const number = await client.value('SerialNumber');
  expect(number).not.toBe('23450001');
  expect(await plugOf(reached)).toEqual({ State: 2, SerialNumber: number, Fault: '' });
  const asTheDeadOne = { user: 'Maintenance', password: 'of the dead one' } as const;
  expect(statusOf(await client.call('checkCredentials', undefined, asTheDeadOne))).toBe(4);
  expect(await client.value('DeviceStatus')).toBe(3);

  // Later changes stay, and the plug follows them.
  await save(reached, 'Gate 4', [127, 0, 0, 43]);
  await reached.kill();
  const again = (await folder.start(flags)).client();
  expect(await again.value('LocationName')).toBe('Gate 4');
  expect(readFileSync(join(plug, file), 'utf8')).toContain('"Gate 4"');
});

test('a plug is put in and pulled out by the control port, and taken at the next power cycle', async () => {
  const plug = plugFolder();
  const first = await new ScannerFolder().start(['--system-plug', plug, '--serial', '23450001']);
  await save(first, 'Gate 3', [10, 0, 0, 7]);
  await first.stop();
  expect(readdirSync(plug)).toEqual([file]);
  const before = readFileSync(join(plug, file), 'utf8');

  const scanner = await new ScannerFolder().start(['--serial', '23450002']);
  await save(scanner, 'Gate 9', [10, 0, 0, 9]);
  expect((await scanner.control('/plug', { folder: plug })).text).toBe('{"ok":true}\n');
  expect(await plugOf(scanner)).toEqual({ State: 4, SerialNumber: '23450001', Fault: '' });
  // The same plug, out and in again.
  await scanner.control('/plug', { folder: plug });
  expect(await plugOf(scanner)).toEqual({ State: 4, SerialNumber: '23450001', Fault: '' });
  await save(scanner, 'Gate 10', [10, 0, 0, 9]);
  expect(readFileSync(join(plug, file), 'utf8')).toBe(before);
  await scanner.powerCycle();
  expect(await scanner.client().value('LocationName')).toBe('Gate 3');
  await scanner.control('/plug', { folder: null });
  expect(await plugOf(scanner)).toEqual({ State: 0, SerialNumber: '', Fault: '' });
  expect(readdirSync(plug)).toEqual([file]);
});

test('two scanners cannot have the same plug at the same time', async () => {
  const plug = plugFolder();
  const first = await new ScannerFolder().start(['--system-plug', plug, '--serial', '23450001']);
  await save(first, 'Gate 3', [10, 0, 0, 7]);
  const second = await new ScannerFolder().start(['--system-plug', plug, '--serial', '23450002']);
  expect(await second.client().value('LocationName')).not.toBe('Gate 3');
  expect(await plugOf(second)).toMatchObject({ State: 6, Fault: 'another scanner uses the plug' });
  await save(second, 'Gate 4', [10, 0, 0, 8]);
  expect(readFileSync(join(plug, file), 'utf8')).toContain('"Gate 3"');
  await first.kill();
  await second.powerCycle();
  expect(await second.client().value('LocationName')).toBe('Gate 3');
});

test('a plug that vanishes is reported, and gets the parameters when it is back', async () => {
  const plug = plugFolder();
  const scanner = await new ScannerFolder().start(['--system-plug', plug]);
  rmSync(plug, { recursive: true });
  await save(scanner, 'Gate 3', [10, 0, 0, 7]);
  expect(await plugOf(scanner)).toMatchObject({
    State: 6,
    Fault: 'the folder of the plug does not exist, or is not a folder',
  });
  expect(await scanner.client().value('DeviceStatus')).toBe(5);
  mkdirSync(plug);
  await save(scanner, 'Gate 4', [10, 0, 0, 7]);
  expect(readFileSync(join(plug, file), 'utf8')).toContain('"Gate 4"');
  expect(await scanner.client().value('DeviceStatus')).toBe(3);
});

test('a file in place of the plug is reported and stays as it is', async () => {
  const plug = join(plugFolder(), 'plug');
  writeFileSync(plug, 'a file');
  const scanner = await new ScannerFolder().start(['--system-plug', plug]);
  await save(scanner, 'Gate 3', [10, 0, 0, 7]);
  expect(await plugOf(scanner)).toMatchObject({ State: 6 });
  expect(readFileSync(plug, 'utf8')).toBe('a file');
});

test('a plug in the folder of the scanner is refused at the start', async () => {
  const folder = new ScannerFolder();
  const { code, log } = await folder.refuse(['--system-plug', folder.folder]);
  expect(code).not.toBe(0);
  expect(log).toContain('--system-plug: expected another folder than that of the scanner');
});
