import { number, object } from '@azimuth/test-support/json';
import { ScannerFolder, type ScannerProcess } from '@azimuth/test-support/scanner-process';
import { beforeEach, expect, test } from 'vitest';

const hour = 3_600_000;
let scannerFolder: ScannerFolder;
let scanner: ScannerProcess;

beforeEach(async () => {
  scannerFolder = new ScannerFolder();
  scanner = await scannerFolder.start([], { bootTime: 2 });
});

async function read(name: string, from = scanner): Promise<number> {
  return number(await from.client().value(name));
}

test('PowerOnCnt counts starts of the process, clean and after a power cut, and power cycles', async () => {
  expect(await read('PowerOnCnt')).toBe(1);
  await scanner.stop();
  scanner = await scannerFolder.start([], { bootTime: 2 });
  expect(await read('PowerOnCnt')).toBe(2);
  await scanner.kill();
  scanner = await scannerFolder.start([], { bootTime: 2 });
  expect(await read('PowerOnCnt')).toBe(3);
  await scanner.powerCycle();
  expect(await read('PowerOnCnt')).toBe(4);
  await scanner.powerCycle();
  expect(await read('PowerOnCnt')).toBe(5);
  await scanner.kill();
  scanner = await scannerFolder.start([], { bootTime: 2 });
  expect(await read('PowerOnCnt')).toBe(6);
});

test('CurrentTempDev is the temperature of the device', async () => {
  await scanner.setTemperature(60);
  expect(await read('CurrentTempDev')).toBeCloseTo(60, 3);
  await scanner.setTemperature(-12.5);
  expect(await read('CurrentTempDev')).toBeCloseTo(-12.5, 3);
});

test('the last save of a new scanner is the time of its first start', async () => {
  const client = scanner.client();
  const created = `${await client.value('LastParaDate')} ${await client.value('LastParaTime')}`;
  const { uiYear, usiMonth, usiDay, usiHour, usiMinute } = object(await client.value('LSPdatetime'));
  const [year, month, day, hours, minute] = [uiYear, usiMonth, usiDay, usiHour, usiMinute].map(number);
  // The scanner was started during this minute of its clock, or the one before.
  const now = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hours, minute);
  expect([now, now - 60_000].map(germanTime)).toContain(created);
  await scanner.advance(48 * hour);
  await scanner.kill();
  const again = (await scannerFolder.start()).client();
  expect(`${await again.value('LastParaDate')} ${await again.value('LastParaTime')}`).toBe(created);
});

/** DD.MM.YYYY HH:MM of a moment of the device clock. */
function germanTime(moment: number): string {
  const [, year, month, day, time] =
    /^(\d+)-(\d+)-(\d+)T(\d+:\d+)/.exec(new Date(moment).toISOString()) ?? [];
  return `${day}.${month}.${year} ${time}`;
}
