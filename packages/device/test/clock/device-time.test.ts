import { type DateTime, dateAndSystemTime } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { afterEach, expect, test, vi } from 'vitest';
import { DeviceTime } from '../../src/clock/device-time.js';
import { SystemClock, VirtualClock } from '../../src/index.js';

const hour = 3_600_000;
const { LSPdatetime } = dateAndSystemTime.members;

afterEach(() => {
  vi.unstubAllEnvs();
});

function moment(
  year: number,
  month: number,
  day: number,
  hours = 0,
  minutes = 0,
  seconds = 0,
  micros = 0,
): DateTime {
  return {
    uiYear: year,
    usiMonth: month,
    usiDay: day,
    usiHour: hours,
    usiMinute: minutes,
    usiSec: seconds,
    udiUSec: micros,
  };
}

test('it starts from the local time of the host', () => {
  const time = new DeviceTime(new VirtualClock(Date.UTC(2026, 5, 30, 23, 30, 15, 250), 2 * hour));
  expect(time.now()).toEqual(moment(2026, 7, 1, 1, 30, 15, 250_000));
  expect(time.utc).toBe(Date.UTC(2026, 5, 30, 23, 30, 15, 250));
});

test('it runs on after it was set', () => {
  const clock = new VirtualClock();
  const time = new DeviceTime(clock);
  time.set(moment(2030, 12, 31, 23, 59, 59, 500_000));
  clock.advance(750);
  expect(time.now()).toEqual(moment(2031, 1, 1, 0, 0, 0, 250_000));
});

test.each([0, 1, 2, 999, 1000, 123_456, 499_999, 500_001, 999_998, 999_999])(
  'it keeps %d µs as they were set',
  (micros) => {
    for (const epoch of [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 0, 15, 12, 0, 0, 333) + 0.125]) {
      const time = new DeviceTime(new VirtualClock(epoch, hour));
      for (const year of [1970, 2026, 2105]) {
        time.set(moment(year, 3, 4, 5, 6, 7, micros));
        expect(time.now()).toEqual(moment(year, 3, 4, 5, 6, 7, micros));
      }
    }
  },
);

test('a leap day is accepted in a leap year only', () => {
  const clock = new VirtualClock();
  const time = new DeviceTime(clock);
  for (const year of [1972, 2000, 2024, 2104]) {
    time.set(moment(year, 2, 29, 12));
    expect(time.now()).toEqual(moment(year, 2, 29, 12));
    clock.advance(24 * hour);
    expect(time.now()).toEqual(moment(year, 3, 1, 12));
  }
  for (const year of [1971, 2025, 2100]) {
    expect(() => time.set(moment(year, 2, 29))).toThrow(expect.objectContaining({ status: 'outOfRange' }));
  }
});

test('a day that does not exist is refused, and the clock continues', () => {
  const time = new DeviceTime(new VirtualClock());
  const before = time.now();
  for (const [month, day] of [
    [2, 30],
    [2, 31],
    [4, 31],
    [6, 31],
    [9, 31],
    [11, 31],
    [1, 0],
    [0, 1],
    [0, 0],
  ] as const) {
    expect(() => time.set(moment(2026, month, day))).toThrow(
      expect.objectContaining({ status: 'outOfRange' }),
    );
  }
  expect(time.now()).toEqual(before);
});

test('a date before 1970 is refused, in two digits too', () => {
  const time = new DeviceTime(new VirtualClock());
  for (const year of [0, 26, 70, 99, 1969]) {
    expect(() => time.set(moment(year, 1, 1))).toThrow(
      expect.objectContaining({ status: 'outOfRange', at: 'DateTime.uiYear' }),
    );
  }
  time.set(moment(1970, 1, 1));
  expect(time.local).toBe(0);
});

test('a boot puts it back to the time of the host', () => {
  const clock = new VirtualClock();
  const time = new DeviceTime(clock);
  time.set(moment(2030, 1, 1));
  clock.advance(hour);
  time.reset();
  expect(time.now()).toEqual(moment(2026, 1, 15, 13));
});

test('the stamp of a save has two digits for each part and four for the year', () => {
  const time = new DeviceTime(new VirtualClock());
  time.set(moment(1999, 1, 2, 3, 4, 59, 999_999));
  expect(time.stamp()).toEqual({ date: '02.01.1999', time: '03:04' });
  time.set(moment(2099, 12, 31, 23, 59));
  expect(time.stamp()).toEqual({ date: '31.12.2099', time: '23:59' });
});

test.each([
  ['Europe/Berlin', Date.UTC(2026, 0, 15, 12), 13],
  ['Europe/Berlin', Date.UTC(2026, 6, 15, 12), 14],
  ['Europe/Berlin', Date.UTC(2026, 2, 29, 0, 59), 1],
  ['Europe/Berlin', Date.UTC(2026, 2, 29, 1, 0), 3],
  ['Europe/Berlin', Date.UTC(2026, 9, 25, 0, 59), 2],
  ['Europe/Berlin', Date.UTC(2026, 9, 25, 1, 0), 2],
  ['Asia/Kathmandu', Date.UTC(2026, 0, 15, 12), 17],
  ['UTC', Date.UTC(2026, 6, 15, 12), 12],
] as const)('on a host in %s the local hour at %d is %d', (zone, utc, localHour) => {
  vi.stubEnv('TZ', zone);
  const offset = new SystemClock().localOffset(utc);
  const time = new DeviceTime(new VirtualClock(utc, offset));
  expect(time.now().usiHour).toBe(localHour);
  const minutes = new Intl.DateTimeFormat('en', { minute: 'numeric', timeZone: zone }).format(utc);
  expect(time.now().usiMinute).toBe(Number(minutes));
});

test('LSPsetdatetime sets what LSPdatetime reads, and announces it', async () => {
  const testDevice = await TestDevice.open();
  const announced: string[] = [];
  testDevice.device.announcements.subscribe((changed) => announced.push(...changed.map(({ name }) => name)));
  expect(await testDevice.respond('LSPsetdatetime', { DateTime: moment(2031, 2, 3, 4, 5, 6) })).toEqual({
    ErrorCode: 0,
  });
  expect(testDevice.device.read(LSPdatetime)).toEqual(moment(2031, 2, 3, 4, 5, 6));
  expect(announced).toContain('LSPdatetime');
});

test('a save is stamped with the time that the device was set to', async () => {
  const testDevice = await TestDevice.open();
  await testDevice.respond('LSPsetdatetime', { DateTime: moment(2031, 2, 3, 4, 5, 6) });
  await testDevice.respond('WriteEeprom');
  expect(testDevice.context.state.content.saved).toEqual({ date: '03.02.2031', time: '04:05' });
});

/** A clock whose UTC can be set, like that of a computer. */
class SettableClock extends VirtualClock {
  step = 0;

  override utc(): number {
    return super.utc() + this.step;
  }
}

test('a computer whose clock is set after the start is followed at the next boot', async () => {
  const clock = new SettableClock(0);
  const testDevice = await TestDevice.open({}, undefined, clock);
  const { device } = testDevice;
  const year = () => device.read(LSPdatetime).uiYear;
  expect(year()).toBe(1970);
  clock.step = Date.UTC(2026, 5, 30);
  // Its rate is constant until then.
  clock.advance(1000);
  expect(year()).toBe(1970);
  await testDevice.reboot();
  expect(year()).toBe(2026);
  clock.step = 0;
  await testDevice.reboot();
  expect(year()).toBe(1970);
});

test('a time server is followed, whatever the clock of the computer was set to', () => {
  const clock = new SettableClock(0);
  const time = new DeviceTime(clock);
  clock.step = Date.UTC(2026, 5, 30);
  time.synchronise(2000, () => 0);
  expect(time.utc).toBe(Date.UTC(2026, 5, 30) + 2000);
  // A further step changes nothing of a synchronised clock.
  clock.step = 0;
  clock.advance(1000);
  expect(time.utc).toBe(Date.UTC(2026, 5, 30) + 3000);
});

test.each([Date.UTC(2026, 5, 30), -Date.UTC(2026, 0, 1)])(
  'locks, challenges and tokens do not expire, or last longer, when the clock of the computer jumps by %d ms',
  async (step) => {
    const clock = new SettableClock();
    const testDevice = await TestDevice.open({}, undefined, clock);
    const { device } = testDevice;
    const header = testDevice.header('checkCredentials');
    clock.step = step;
    expect(device.access.authenticate(header, 'checkCredentials').level).toBe('Service');
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(() => testDevice.logIn('Service', 'wrong')).toThrow();
    }
    clock.step = 0;
    expect(() => testDevice.logIn()).toThrow();
    clock.advance(29_000);
    clock.step = step;
    expect(() => testDevice.logIn()).toThrow();
    clock.advance(2000);
    expect(testDevice.logIn().level).toBe('Service');
    const { tenthsOfHours } = device.features.operatingData.counters;
    clock.step = -step;
    expect(device.features.operatingData.counters.tenthsOfHours).toBe(tenthsOfHours);
  },
);
