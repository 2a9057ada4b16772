import { expectData } from '@azimuth/test-support/envelope';
import { resetFailedLogins } from '@azimuth/test-support/failed-logins';
import { number, object, parse } from '@azimuth/test-support/json';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, expect, test } from 'vitest';

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
async function clock(): Promise<number> {
  const time = object(await client().value('LSPdatetime'));
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

test('LSPsetdatetime sets the device clock, which runs on', async () => {
  expectData(await set(), { ErrorCode: 0 });
  const setTo = Date.UTC(2031, 4, 17, 8, 30, 15, 250);
  const first = (await clock()) - setTo;
  expect(first).toBeGreaterThanOrEqual(0);
  expect(first).toBeLessThan(5000);
  await scanner().advance(60_000);
  expect((await clock()) - setTo).toBeGreaterThanOrEqual(60_000);
});

test('LSPsetdatetime refuses a date that does not exist, and the clock runs on as before', async () => {
  const before = await clock();
  const answer = object(parse((await set({ usiMonth: 2, usiDay: 31 })).text));
  expect(answer).not.toMatchObject({ header: { status: 0 }, data: { ErrorCode: 0 } });
  expect(Math.abs((await clock()) - before)).toBeLessThan(5000);
});
