import { beforeEach, expect, test } from 'vitest';
import { expectDone } from '../../support/envelope.js';
import { number } from '../../support/json.js';
import { ProcessBench, type ScannerProcess } from '../../support/scanner-process.js';

const hour = 3_600_000;
let bench: ProcessBench;
let scanner: ScannerProcess;

beforeEach(async () => {
  bench = new ProcessBench();
  scanner = await bench.start([], { bootTime: 2 });
});

async function read(name: string, from = scanner): Promise<number> {
  return number(await from.client().value(name));
}

const reboot = () =>
  scanner.throughReboot(async () => expectDone(await scanner.client().call('RebootDevice')));

test('PowerOnCnt counts starts of the process, clean and after a power cut, and power cycles', async () => {
  expect(await read('PowerOnCnt')).toBe(1);
  await scanner.stop();
  scanner = await bench.start([], { bootTime: 2 });
  expect(await read('PowerOnCnt')).toBe(2);
  await scanner.kill();
  scanner = await bench.start([], { bootTime: 2 });
  expect(await read('PowerOnCnt')).toBe(3);
  await scanner.powerCycle();
  expect(await read('PowerOnCnt')).toBe(4);
  await scanner.powerCycle();
  expect(await read('PowerOnCnt')).toBe(5);
  await scanner.kill();
  scanner = await bench.start([], { bootTime: 2 });
  expect(await read('PowerOnCnt')).toBe(6);
});

test('PowerOnCnt does not count reboots, and outlives factory defaults', async () => {
  await reboot();
  await reboot();
  expect(await read('PowerOnCnt')).toBe(1);
  expectDone(await scanner.client().call('LoadFactoryDefaults'));
  expect(await read('PowerOnCnt')).toBe(1);
});

test('DailyOpHours runs with the clock from power-on', async () => {
  expect(await read('DailyOpHours')).toBeCloseTo(0, 1);
  await scanner.advance(2.5 * hour);
  expect(await read('DailyOpHours')).toBeCloseTo(2.5, 1);
});

test('DailyOpHours goes on over a reboot and begins anew with power', async () => {
  await scanner.advance(3 * hour);
  await reboot();
  expect(await read('DailyOpHours')).toBeCloseTo(3, 1);
  await scanner.powerCycle();
  expect(await read('DailyOpHours')).toBeCloseTo(0, 1);
  await scanner.advance(hour);
  expect(await read('DailyOpHours')).toBeCloseTo(1, 1);
});

test('OpHours counts tenths of an hour over the life of the scanner', async () => {
  const before = await read('OpHours');
  expect(before).toBe(0);
  await scanner.advance(10 * hour);
  expect(await read('OpHours')).toBe(100);
  await scanner.powerCycle();
  expect(await read('OpHours')).toBe(100);
  await scanner.advance(5 * hour);
  await scanner.stop();
  scanner = await bench.start([], { bootTime: 2 });
  const after = await read('OpHours');
  expect(after).toBeGreaterThanOrEqual(100);
  expect(after).toBeLessThanOrEqual(151);
});

test('CurrentTempDev is the temperature of the device', async () => {
  await scanner.setTemperature(60);
  expect(await read('CurrentTempDev')).toBeCloseTo(60, 3);
  await scanner.setTemperature(-12.5);
  expect(await read('CurrentTempDev')).toBeCloseTo(-12.5, 3);
});

test('a new scanner carries the time of its creation as that of its last save', async () => {
  const client = scanner.client();
  const created = `${await client.value('LastParaDate')} ${await client.value('LastParaTime')}`;
  const now = Date.now();
  const minutes = [0, -1].map((offset) => germanTime(new Date(now + offset * 60_000)));
  expect(minutes).toContain(created);
  await scanner.advance(48 * hour);
  await scanner.kill();
  const again = (await bench.start()).client();
  expect(`${await again.value('LastParaDate')} ${await again.value('LastParaTime')}`).toBe(created);
});

/** DD.MM.YYYY HH:MM in local time. */
function germanTime(time: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${two(time.getDate())}.${two(time.getMonth() + 1)}.${time.getFullYear()}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
