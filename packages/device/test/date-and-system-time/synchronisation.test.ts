import { type DateTime, dateAndSystemTime, extensions, type TimeState, TimeZone } from '@azimuth/model';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { Clocked } from './clocked-device.js';
import { flushPromises } from './fake-time-servers.js';

const { LSPdatetime, TSCRole } = dateAndSystemTime.members;
const { time } = extensions.members;
const second = 1000;
const hour = 3_600_000;

describe('as TX_CLIENT', () => {
  test('it sends a request at once, and shows the time of the server in its zone', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    expect(clocked.shows).toBe('2026-01-15 12:00:00');
    await clocked.servers.respondWithTime(2 * hour + 250);
    expect(clocked.servers.addresses).toEqual(['192.168.0.11']);
    // Berlin is an hour ahead of UTC in winter.
    expect(clocked.shows).toBe('2026-01-15 15:00:00');
    expect(clocked.testDevice.device.features.synchronisation.time.utc).toBe(
      Date.UTC(2026, 0, 15, 14, 0, 0, 250),
    );
    expect(clocked.state).toEqual({
      Role: 1,
      Synchronised: true,
      System: '',
      Server: [192, 168, 0, 11],
      Stratum: 2,
      Offset: 2 * hour + 250,
      RoundTrip: 1.5,
      LastExchange: Date.UTC(2026, 0, 15, 14, 0, 0, 250),
      NextExchange: 600,
      Missed: 0,
      Ptp: extensions.members.time.type.initial.Ptp,
      Fault: '',
    });
    expect(clocked.logged.filter((line) => line === 'The clock is synchronised')).toHaveLength(1);
  });

  test('it sends a request after each update time, and reports the correction', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 30 });
    await clocked.servers.respondWithTime(1000);
    await clocked.pass(30 * second - 1);
    expect(clocked.servers.hasRequest).toBe(false);
    await clocked.pass(1);
    await clocked.servers.respondWithTime(998.5);
    expect(clocked.state.Offset).toBe(-1.5);
    expect(clocked.servers.addresses).toHaveLength(2);
    expect(clocked.logged.filter((line) => line === 'The clock is synchronised')).toHaveLength(1);
  });

  test.each([
    ['the address', { server: [10, 0, 0, 1] }, '10.0.0.1', false],
    ['the update time', { updateTime: 5 }, '192.168.0.11', true],
  ] as const)('another value of %s has it ask at once', async (_, values, address, synchronised) => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.respondWithTime(0);
    await clocked.pass(second);
    clocked.write(values);
    expect(clocked.servers.addresses).toEqual(['192.168.0.11', address]);
    // Responses of another server do not count for this one.
    expect(clocked.state.Synchronised).toBe(synchronised);
  });

  test('a running request is aborted when the server changes, and its response does not count', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await until(() => clocked.servers.hasRequest);
    clocked.write({ server: [10, 0, 0, 1] });
    expect(clocked.servers.brokenOff).toBe(1);
    await clocked.pass(second);
    await clocked.servers.respondWithTime(hour);
    expect(clocked.state).toMatchObject({ Server: [10, 0, 0, 1], Synchronised: true });
  });

  test('writes do not cause a request each: a server gets at most one request a second', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await until(() => clocked.servers.hasRequest);
    for (let last = 1; last <= 100; last++) {
      clocked.write({ role: 0 });
      clocked.write({ role: 1, server: [10, 0, 0, last], updateTime: last });
    }
    await clocked.pass(second - 1);
    expect(clocked.servers.addresses).toEqual(['192.168.0.11']);
    await clocked.pass(1);
    expect(clocked.servers.addresses).toEqual(['192.168.0.11', '10.0.0.100']);
  });

  test('another zone shows at once', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.respondWithTime(0);
    clocked.write({ zone: TimeZone.KATMANDU });
    expect(clocked.shows).toBe('2026-01-15 17:45:00');
    expect(clocked.servers.addresses).toHaveLength(1);
    clocked.write({ zone: TimeZone.DATE_LINE_STANDARD });
    expect(clocked.shows).toBe('2026-01-15 00:00:00');
  });

  test('a zone does nothing to a clock that no server has set', async () => {
    const clocked = await Clocked.open();
    clocked.write({ zone: TimeZone.KATMANDU });
    expect(clocked.shows).toBe('2026-01-15 12:00:00');
    clocked.write({ role: 1, zone: TimeZone.KIRITIMATI });
    await clocked.servers.miss();
    clocked.write({ zone: TimeZone.KATMANDU });
    expect(clocked.shows).toBe('2026-01-15 12:00:00');
  });

  test('summer begins and ends at its moment', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 3600 });
    // Clocks in Berlin go from 2 to 3 on 29 March 2026, at 1 UTC, and from 3 to 2 on 25 October, at 1 UTC.
    await clocked.servers.respondWithTime(Date.UTC(2026, 2, 29, 0, 59, 59) - Date.UTC(2026, 0, 15, 12));
    expect(clocked.shows).toBe('2026-03-29 01:59:59');
    clocked.testDevice.clock.advance(second);
    expect(clocked.shows).toBe('2026-03-29 03:00:00');
    clocked.write({ server: [10, 0, 0, 1] });
    await clocked.servers.respondWithTime(Date.UTC(2026, 9, 25, 0, 59, 58) - Date.UTC(2026, 0, 15, 12));
    expect(clocked.shows).toBe('2026-10-25 02:59:59');
    clocked.testDevice.clock.advance(second);
    expect(clocked.shows).toBe('2026-10-25 02:00:00');
  });

  test('without a way to a server the state shows it', async () => {
    const testDevice = await TestDevice.open();
    testDevice.device.write(TSCRole, 1, atService);
    await until(() => testDevice.device.read(time).Fault !== '');
    expect(testDevice.device.read(time)).toMatchObject({ Synchronised: false, NextExchange: 0 });
  });
});

describe('LSPsetdatetime', () => {
  test('is refused while the clock is synchronised', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.respondWithTime(0);
    expect(await clocked.set('2031-05-17 08:30:15')).toEqual({ ErrorCode: 1 });
    expect(clocked.shows).toBe('2026-01-15 13:00:00');
  });

  test('works while no server has responded, and the first response wins', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await until(() => clocked.servers.hasRequest);
    expect(await clocked.set('2031-05-17 08:30:15')).toEqual({ ErrorCode: 0 });
    expect(clocked.shows).toBe('2031-05-17 08:30:15');
    await clocked.servers.respondWithTime(0);
    expect(clocked.shows).toBe('2026-01-15 13:00:00');
  });

  test('works when the role is TX_NONE again; till then the clock goes on from where it was', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.respondWithTime(hour);
    clocked.write({ role: 0 });
    expect(clocked.shows).toBe('2026-01-15 14:00:00');
    expect(clocked.state).toMatchObject({ Role: 0, Synchronised: false, NextExchange: 0 });
    await clocked.pass(700 * second);
    expect(clocked.servers.addresses).toHaveLength(1);
    expect(await clocked.set('2026-03-29 01:59:59')).toEqual({ ErrorCode: 0 });
    clocked.testDevice.clock.advance(second);
    // A clock that was set by hand has no daylight saving.
    expect(clocked.shows).toBe('2026-03-29 02:00:00');
    clocked.write({ zone: TimeZone.KIRITIMATI });
    expect(clocked.shows).toBe('2026-03-29 02:00:00');
  });

  test('works when the last response is too old, and no zone moves the set time', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 1 });
    await clocked.servers.respondWithTime(0);
    expect(await clocked.set('2031-05-17 08:30:15')).toEqual({ ErrorCode: 1 });
    await clocked.pass(10 * second);
    expect(await clocked.set('2031-05-17 08:30:15')).toEqual({ ErrorCode: 0 });
    clocked.write({ zone: TimeZone.KATMANDU });
    expect(clocked.shows).toBe('2031-05-17 08:30:15');
  });

  test('moves UTC by as much as local time', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.respondWithTime(0);
    clocked.write({ role: 0 });
    await clocked.set('2026-07-15 13:00:00');
    expect(clocked.testDevice.device.features.synchronisation.time.utc).toBe(Date.UTC(2026, 6, 15, 12));
  });
});

test('as TX_PTP_SLAVE without access to PTP masters it shows that, sends no request, and can be set', async () => {
  const clocked = await Clocked.open();
  clocked.write({ role: 3 });
  await until(() => clocked.state.Fault !== '');
  expect(clocked.state).toMatchObject({ Role: 3, Synchronised: false, NextExchange: 0 });
  expect(clocked.state.Fault).toContain('PTP');
  expect(await clocked.set('2031-05-17 08:30:15')).toEqual({ ErrorCode: 0 });
  await clocked.pass(hour);
  expect(clocked.servers.addresses).toEqual([]);
});

describe('a reboot', () => {
  test('forgets the time, and sends a new request if the role is stored', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.respondWithTime(hour);
    await clocked.testDevice.respond('WriteEeprom');
    await clocked.testDevice.reboot();
    expect(clocked.state).toMatchObject({ Role: 1, Synchronised: false, LastExchange: 0 });
    expect(clocked.shows).toBe('2026-01-15 12:00:02');
    await clocked.servers.respondWithTime(hour);
    expect(clocked.shows).toBe('2026-01-15 14:00:02');
  });

  test('aborts a running request, and sends none while it is down', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await until(() => clocked.servers.hasRequest);
    clocked.testDevice.device.lifecycle.reboot();
    expect(clocked.servers.brokenOff).toBe(1);
    await clocked.servers.respondWithTime(hour);
    expect(clocked.shows).toBe('2026-01-15 12:00:00');
    await clocked.pass(1999);
    expect(clocked.servers.addresses).toHaveLength(1);
  });

  test('for good leaves nothing behind', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await until(() => clocked.servers.hasRequest);
    await clocked.testDevice.device.close();
    expect(clocked.servers.brokenOff).toBe(1);
    await clocked.pass(24 * hour);
    expect(clocked.servers.addresses).toHaveLength(1);
  });
});

test('a scanner that is closed while it boots sends no request', async () => {
  const clocked = await Clocked.open();
  clocked.write({ role: 1 });
  await clocked.servers.respondWithTime(0);
  await clocked.testDevice.respond('WriteEeprom');
  clocked.testDevice.device.lifecycle.reboot();
  clocked.testDevice.clock.advance(2000);
  await clocked.testDevice.device.close();
  await flushPromises();
  expect(clocked.servers.addresses).toHaveLength(1);
});

describe('time that is skipped', () => {
  test('causes one request, when it is over', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 1 });
    await clocked.servers.respondWithTime(0);
    clocked.testDevice.device.lifecycle.skipTime(() => clocked.testDevice.clock.advance(400 * 24 * hour));
    await flushPromises();
    expect(clocked.servers.addresses).toHaveLength(2);
    await clocked.servers.respondWithTime(-400 * 24 * hour);
    expect(clocked.shows).toBe('2026-01-15 13:00:00');
  });

  test('has a request under way sent again', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await until(() => clocked.servers.hasRequest);
    clocked.testDevice.device.lifecycle.skipTime(() => clocked.testDevice.clock.advance(hour));
    expect(clocked.servers.brokenOff).toBe(1);
    expect(clocked.servers.addresses).toHaveLength(2);
  });
});

test('the state is announced when it is another one', async () => {
  const clocked = await Clocked.open();
  const heard: TimeState[] = [];
  clocked.testDevice.device.follow(time, () => heard.push(clocked.state));
  clocked.write({ role: 1 });
  await clocked.servers.miss();
  await clocked.pass(2 * second);
  await clocked.servers.respondWithTime(0);
  clocked.write({ role: 0 });
  expect(heard.map(({ Role, Synchronised, Missed }) => [Role, Synchronised, Missed])).toEqual([
    [1, false, 0],
    [1, false, 1],
    [1, true, 0],
    [0, false, 0],
  ]);
});

test('at the end of the last year of the interface, the clock stops', async () => {
  const { testDevice } = await Clocked.open();
  const end: DateTime = {
    uiYear: 2105,
    usiMonth: 12,
    usiDay: 31,
    usiHour: 23,
    usiMinute: 59,
    usiSec: 59,
    udiUSec: 999_999,
  };
  await testDevice.respond('LSPsetdatetime', { DateTime: { ...end, usiSec: 58 } });
  expect(testDevice.device.read(LSPdatetime)).toEqual({ ...end, usiSec: 58 });
  testDevice.clock.advance(hour);
  expect(testDevice.device.read(LSPdatetime)).toEqual(end);
});
