import { VirtualClock } from '@azimuth/device';
import type { Client } from '@azimuth/test-support/client';
import { expectData, expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { resetFailedLogins } from '@azimuth/test-support/failed-logins';
import { number, object, parse } from '@azimuth/test-support/json';
import { ScannerFolder, sharedScanner } from '@azimuth/test-support/scanner-process';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { beforeEach, describe, expect, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

beforeEach(() => resetFailedLogins(scanner()));

const moment = {
  uiYear: 2031,
  usiMonth: 5,
  usiDay: 17,
  usiHour: 8,
  usiMinute: 30,
  usiSec: 15,
  udiUSec: 250_000,
};

/** The device clock, as milliseconds of its own calendar. */
async function clock(from: Client = client()): Promise<number> {
  const time = object(await from.value('LSPdatetime'));
  const [year, month, day, hour, minute, second, microsecond] = Object.keys(moment).map((name) =>
    number(time[name]),
  );
  return (
    Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second) + Math.trunc((microsecond ?? 0) / 1000)
  );
}

function set(change: object = {}) {
  return client().call('LSPsetdatetime', { DateTime: { ...moment, ...change } });
}

const setTo = Date.UTC(2031, 4, 17, 8, 30, 15, 250);

describe('the device clock', () => {
  test('starts with the local time of the host', async () => {
    const offset = 14 * 3_600_000;
    const testScanner = await TestScanner.start({
      clock: new VirtualClock(Date.UTC(2026, 0, 15, 12), offset),
    });
    expect(await clock(testScanner.client())).toBe(testScanner.clock.utc() + offset);
  });

  test('runs', async () => {
    const before = await clock();
    await scanner().advance(90_000);
    const passed = (await clock()) - before;
    expect(passed).toBeGreaterThanOrEqual(90_000);
    expect(passed).toBeLessThan(95_000);
  });

  test('is set by LSPsetdatetime and runs on', async () => {
    expectData(await set(), { ErrorCode: 0 });
    const first = (await clock()) - setTo;
    expect(first).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThan(5000);
    await scanner().advance(60_000);
    expect((await clock()) - setTo).toBeGreaterThanOrEqual(60_000);
  });

  test('runs past the end of a month', async () => {
    expectData(await set({ uiYear: 2032, usiMonth: 2, usiDay: 28, usiHour: 23, usiMinute: 59 }), {
      ErrorCode: 0,
    });
    await scanner().advance(60_000);
    expect(object(await client().value('LSPdatetime'))).toMatchObject({
      usiMonth: 2,
      usiDay: 29,
      usiHour: 0,
    });
    await scanner().advance(24 * 3_600_000);
    expect(object(await client().value('LSPdatetime'))).toMatchObject({ usiMonth: 3, usiDay: 1 });
  });

  test('gives the date of a save', async () => {
    expectData(await set(), { ErrorCode: 0 });
    expectData(await client().call('WriteEeprom'), { Success: true });
    expect(await client().value('LastParaDate')).toBe('17.05.2031');
    expect(await client().value('LastParaTime')).toBe('08:30');
  });

  test('can be set without an effect on locks and challenges', async () => {
    const header = await client().header('checkCredentials');
    expectData(await set({ uiYear: 2040 }), { ErrorCode: 0 });
    expectDone(await client().post('checkCredentials', { header }));
  });

  test('keeps a set time until the next boot only', async () => {
    const local = await new ScannerFolder().start([], { bootTime: 2, env: { TZ: 'UTC' } });
    const before = await clock(local.client());
    expectData(await local.client().call('LSPsetdatetime', { DateTime: moment }), { ErrorCode: 0 });
    expect(Math.abs((await clock(local.client())) - setTo)).toBeLessThan(5000);
    await local.throughReboot(async () => expectDone(await local.client().call('RebootDevice')));
    expect(Math.abs((await clock(local.client())) - before)).toBeLessThan(20_000);
  });
});

describe('LSPsetdatetime refuses', () => {
  test.each([
    ['a month above 12', { usiMonth: 13 }, 6],
    ['a day above 31', { usiDay: 32 }, 6],
    ['an hour above 23', { usiHour: 24 }, 6],
    ['a minute above 59', { usiMinute: 60 }, 6],
    ['a second above 59', { usiSec: 60 }, 6],
    ['1,000,000 microseconds', { udiUSec: 1_000_000 }, 6],
    ['a year above 2105', { uiYear: 2106 }, 6],
    ['a negative year', { uiYear: -1 }, 6],
    ['a fraction', { usiSec: 0.5 }, 2],
    ['text', { usiSec: '5' }, 2],
    ['null', { usiSec: null }, 2],
    ['a missing member', { usiSec: undefined }, 1],
    ['an unknown member', { usiHundredth: 5 }, 2],
  ])('%s, and the clock runs on as before', async (_, change, status) => {
    const before = await clock();
    expectStatus(await set(change), status);
    expect((await clock()) - before).toBeLessThan(5000);
    expect((await clock()) - before).toBeGreaterThanOrEqual(0);
  });

  test('a time that is not in DateTime', async () => {
    expectStatus(await client().call('LSPsetdatetime', moment), 1);
    expectStatus(await client().call('LSPsetdatetime'), 1);
    expectStatus(await client().call('LSPsetdatetime', { LSPsetdatetime: moment }), 1);
    expectStatus(await client().call('LSPsetdatetime', { DateTime: '2031-05-17' }), 2);
  });

  test.each([
    ['31 February', { usiMonth: 2, usiDay: 31 }],
    ['29 February of a common year', { uiYear: 2031, usiMonth: 2, usiDay: 29 }],
    ['31 April', { usiMonth: 4, usiDay: 31 }],
    ['day 0', { usiDay: 0 }],
    ['month 0', { usiMonth: 0 }],
  ])('a date that does not exist: %s', async (_, change) => {
    const before = await clock();
    const answer = object(parse((await set(change)).text));
    const succeeded = object(answer.header).status === 0 && object(answer.data).ErrorCode === 0;
    expect(succeeded).toBe(false);
    expect(Math.abs((await clock()) - before)).toBeLessThan(5000);
  });

  test('a client that is not logged in', async () => {
    const before = await clock();
    expectStatus(await client().post('LSPsetdatetime', { data: { DateTime: moment } }), 4);
    expect(Math.abs((await clock()) - before)).toBeLessThan(5000);
  });
});
