import {
  type DateTime,
  dateAndSystemTime,
  extensions,
  type TimeState,
  TimeZone,
  type Variable,
} from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { atService, Bench } from '../../../../tests/support/device-test-bench.js';
import { until } from '../../../../tests/support/waiting.js';
import { FakeTimeServers, settled } from './fake-time-servers.js';

const { LSPdatetime, TSCRole, TSCTCSrvAddr, TSCTCtimezone, TSCTCupdatetime } = dateAndSystemTime.members;
const { time } = extensions.members;
const second = 1000;
const hour = 3_600_000;

interface Settings {
  readonly role?: 0 | 1 | 3;
  readonly server?: readonly number[];
  readonly zone?: number;
  readonly updateTime?: number;
}

/** The bench's host is at 2026-01-15 12:00 UTC; so is its local time. */
class Clocked {
  private constructor(
    readonly bench: Bench,
    readonly servers: FakeTimeServers,
  ) {}

  static async open(): Promise<Clocked> {
    const servers = new FakeTimeServers();
    return new Clocked(await Bench.open({ timeServers: servers }), servers);
  }

  write({ role, server, zone, updateTime }: Settings): void {
    const values: readonly [Variable<unknown>, unknown][] = [
      [TSCTCupdatetime, updateTime],
      [TSCTCtimezone, zone],
      [TSCTCSrvAddr, server],
      [TSCRole, role],
    ];
    for (const [variable, value] of values) {
      if (value === undefined) continue;
      this.bench.device.write(variable, value, atService);
    }
  }

  get state(): TimeState {
    return this.bench.device.read(time);
  }

  /** The clock in words: `2026-01-15 12:00:00`. */
  get shows(): string {
    return words(this.bench.device.read(LSPdatetime));
  }

  async set(to: string): Promise<unknown> {
    const [uiYear = 0, usiMonth = 0, usiDay = 0, usiHour = 0, usiMinute = 0, usiSec = 0] = to
      .split(/\D/)
      .map(Number);
    const DateTime = { uiYear, usiMonth, usiDay, usiHour, usiMinute, usiSec, udiUSec: 0 };
    return this.bench.respond('LSPsetdatetime', { DateTime });
  }

  get told(): readonly string[] {
    return this.bench.log.lines.map(({ message }) => message);
  }

  async pass(ms: number): Promise<void> {
    this.bench.clock.advance(ms);
    await settled();
  }
}

function words({ uiYear, usiMonth, usiDay, usiHour, usiMinute, usiSec }: DateTime): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${uiYear}-${two(usiMonth)}-${two(usiDay)} ${two(usiHour)}:${two(usiMinute)}:${two(usiSec)}`;
}

describe('as TX_CLIENT', () => {
  test('it asks at once, and shows the time of the server in its zone', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    expect(clocked.shows).toBe('2026-01-15 12:00:00');
    await clocked.servers.tell(2 * hour + 250);
    expect(clocked.servers.asked).toEqual(['192.168.0.11']);
    // Berlin is an hour ahead of UTC in winter.
    expect(clocked.shows).toBe('2026-01-15 15:00:00');
    expect(clocked.bench.device.time.utc).toBe(Date.UTC(2026, 0, 15, 14, 0, 0, 250));
    expect(clocked.state).toEqual({
      Role: 1,
      Synchronised: true,
      Server: [192, 168, 0, 11],
      Stratum: 2,
      Offset: 2 * hour + 250,
      RoundTrip: 1.5,
      LastExchange: Date.UTC(2026, 0, 15, 14, 0, 0, 250),
      NextExchange: 600,
      Missed: 0,
      Fault: '',
    });
    expect(clocked.told.filter((line) => line === 'The clock is synchronised')).toHaveLength(1);
  });

  test('it asks again each update time, and tells how far it was corrected', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 30 });
    await clocked.servers.tell(1000);
    await clocked.pass(30 * second - 1);
    expect(clocked.servers.isAsked).toBe(false);
    await clocked.pass(1);
    await clocked.servers.tell(998.5);
    expect(clocked.state.Offset).toBe(-1.5);
    expect(clocked.servers.asked).toHaveLength(2);
    expect(clocked.told.filter((line) => line === 'The clock is synchronised')).toHaveLength(1);
  });

  test.each([
    ['the address', { server: [10, 0, 0, 1] }, '10.0.0.1', false],
    ['the update time', { updateTime: 5 }, '192.168.0.11', true],
  ] as const)('another value of %s has it ask at once', async (_, values, address, synchronised) => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.tell(0);
    await clocked.pass(second);
    clocked.write(values);
    expect(clocked.servers.asked).toEqual(['192.168.0.11', address]);
    // What another server has said does not count for this one.
    expect(clocked.state.Synchronised).toBe(synchronised);
  });

  test('a request under way is broken off when another server is to be asked, and its answer counts for nothing', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await until(() => clocked.servers.isAsked);
    clocked.write({ server: [10, 0, 0, 1] });
    expect(clocked.servers.brokenOff).toBe(1);
    await clocked.pass(second);
    await clocked.servers.tell(hour);
    expect(clocked.state).toMatchObject({ Server: [10, 0, 0, 1], Synchronised: true });
  });

  test('writes are not passed on one by one: however many there are, a server is asked once a second', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await until(() => clocked.servers.isAsked);
    for (let last = 1; last <= 100; last++) {
      clocked.write({ role: 0 });
      clocked.write({ role: 1, server: [10, 0, 0, last], updateTime: last });
    }
    await clocked.pass(second - 1);
    expect(clocked.servers.asked).toEqual(['192.168.0.11']);
    await clocked.pass(1);
    expect(clocked.servers.asked).toEqual(['192.168.0.11', '10.0.0.100']);
  });

  test('another zone shows at once', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.tell(0);
    clocked.write({ zone: TimeZone.KATMANDU });
    expect(clocked.shows).toBe('2026-01-15 17:45:00');
    expect(clocked.servers.asked).toHaveLength(1);
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
    // In Berlin clocks go from 2 to 3 on 29 March 2026, at 1 UTC, and from 3 to 2 on 25 October, at 1 UTC.
    await clocked.servers.tell(Date.UTC(2026, 2, 29, 0, 59, 59) - Date.UTC(2026, 0, 15, 12));
    expect(clocked.shows).toBe('2026-03-29 01:59:59');
    clocked.bench.clock.advance(second);
    expect(clocked.shows).toBe('2026-03-29 03:00:00');
    clocked.write({ server: [10, 0, 0, 1] });
    await clocked.servers.tell(Date.UTC(2026, 9, 25, 0, 59, 58) - Date.UTC(2026, 0, 15, 12));
    expect(clocked.shows).toBe('2026-10-25 02:59:59');
    clocked.bench.clock.advance(second);
    expect(clocked.shows).toBe('2026-10-25 02:00:00');
  });

  test('without a way to a server it says so', async () => {
    const bench = await Bench.open();
    bench.device.write(TSCRole, 1, atService);
    await until(() => bench.device.read(time).Fault !== '');
    expect(bench.device.read(time)).toMatchObject({ Synchronised: false, NextExchange: 0 });
  });
});

describe('a server that gives no time', () => {
  test('is asked sooner than after the update time, twice as late each time, and once a minute in the end', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    const waits: number[] = [];
    for (let miss = 0; miss < 8; miss++) {
      await clocked.servers.miss();
      waits.push(clocked.state.NextExchange);
      await clocked.pass(clocked.state.NextExchange * second);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 64, 64]);
    expect(clocked.state).toMatchObject({ Missed: 8, Fault: 'nobody there', Synchronised: false });
    await clocked.servers.tell(0);
    expect(clocked.state).toMatchObject({ Missed: 0, Fault: '', NextExchange: 600, Synchronised: true });
  });

  test('is never asked later than after the update time', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 3 });
    await clocked.servers.miss();
    await clocked.pass(2 * second);
    await clocked.servers.miss();
    expect(clocked.state.NextExchange).toBe(3);
  });

  test('is told once, after three requests, and once when it is back', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.tell(0);
    await clocked.pass(600 * second);
    for (let miss = 0; miss < 5; miss++) {
      await clocked.servers.miss();
      await clocked.pass(clocked.state.NextExchange * second);
    }
    await clocked.servers.tell(0);
    expect(clocked.told).toEqual([
      'The clock is synchronised',
      'From the next scan on, times in telegrams are µs since 1970-01-01 UTC',
      'The time server gives no time',
      'The clock is synchronised',
    ]);
    expect(clocked.bench.log.lines[2]?.facts).toEqual({
      server: '192.168.0.11',
      missed: 3,
      reason: 'nobody there',
    });
  });

  test('has its last time for three update times, and the clock runs on after that', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 20 });
    await clocked.servers.tell(hour);
    let passed = 0;
    const tick = async () => {
      if (clocked.servers.isAsked) await clocked.servers.miss();
      await clocked.pass(second);
      passed += 1;
    };
    while (passed < 59) await tick();
    expect(clocked.state.Synchronised).toBe(true);
    await tick();
    expect(clocked.state.Synchronised).toBe(false);
    expect(clocked.told).toContain('The clock is no longer synchronised');
    expect(clocked.shows).toBe('2026-01-15 14:01:00');
  });

  test('has a clock of a short update time synchronised for ten seconds', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 1 });
    await clocked.servers.tell(0);
    await clocked.pass(9999);
    expect(clocked.state.Synchronised).toBe(true);
    await clocked.pass(1);
    expect(clocked.state.Synchronised).toBe(false);
  });

  test('has its last answer count for as long as a new update time says', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.tell(0);
    clocked.write({ updateTime: 10 });
    await clocked.pass(30 * second - 1);
    expect(clocked.state.Synchronised).toBe(true);
    await clocked.pass(1);
    expect(clocked.state.Synchronised).toBe(false);
  });

  test('because it wants to be asked less often has its last answer count for longer', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 20 });
    await clocked.servers.tell(0);
    await clocked.pass(20 * second);
    await clocked.servers.say({ kind: 'slower' });
    // Three times 40 s since the answer.
    await clocked.pass(100 * second - 1);
    expect(clocked.state.Synchronised).toBe(true);
    await clocked.pass(1);
    expect(clocked.state.Synchronised).toBe(false);
  });

  test('and refuses to be asked is asked no more, until somebody writes its settings', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.say({ kind: 'refused', reason: 'no (DENY)' });
    expect(clocked.state).toMatchObject({ NextExchange: 0, Fault: 'no (DENY)' });
    await clocked.pass(30 * 24 * hour);
    expect(clocked.servers.asked).toHaveLength(1);
    clocked.write({ updateTime: 60 });
    expect(clocked.servers.asked).toHaveLength(2);
  });

  test('and wants to be asked less often is asked half as often from then on', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 5 });
    await clocked.servers.say({ kind: 'slower' });
    expect(clocked.state.NextExchange).toBe(16);
    await clocked.pass(16 * second);
    await clocked.servers.say({ kind: 'slower' });
    expect(clocked.state.NextExchange).toBe(32);
    await clocked.pass(32 * second);
    await clocked.servers.tell(0);
    expect(clocked.state.NextExchange).toBe(32);
    await clocked.pass(second);
    clocked.write({ updateTime: 6 });
    await clocked.servers.tell(0);
    expect(clocked.state.NextExchange).toBe(6);
  });
});

describe('LSPsetdatetime', () => {
  test('is refused while the clock is synchronised', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.tell(0);
    expect(await clocked.set('2031-05-17 08:30:15')).toEqual({ ErrorCode: 1 });
    expect(clocked.shows).toBe('2026-01-15 13:00:00');
  });

  test('works while no server has answered, and the first answer wins', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await until(() => clocked.servers.isAsked);
    expect(await clocked.set('2031-05-17 08:30:15')).toEqual({ ErrorCode: 0 });
    expect(clocked.shows).toBe('2031-05-17 08:30:15');
    await clocked.servers.tell(0);
    expect(clocked.shows).toBe('2026-01-15 13:00:00');
  });

  test('works when the role is TX_NONE again; till then the clock goes on from where it was', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.tell(hour);
    clocked.write({ role: 0 });
    expect(clocked.shows).toBe('2026-01-15 14:00:00');
    expect(clocked.state).toMatchObject({ Role: 0, Synchronised: false, NextExchange: 0 });
    await clocked.pass(700 * second);
    expect(clocked.servers.asked).toHaveLength(1);
    expect(await clocked.set('2026-03-29 01:59:59')).toEqual({ ErrorCode: 0 });
    clocked.bench.clock.advance(second);
    // No daylight saving in a clock that was set by hand.
    expect(clocked.shows).toBe('2026-03-29 02:00:00');
    clocked.write({ zone: TimeZone.KIRITIMATI });
    expect(clocked.shows).toBe('2026-03-29 02:00:00');
  });

  test('works when the last answer is too old, and no zone moves what was set', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 1 });
    await clocked.servers.tell(0);
    expect(await clocked.set('2031-05-17 08:30:15')).toEqual({ ErrorCode: 1 });
    await clocked.pass(10 * second);
    expect(await clocked.set('2031-05-17 08:30:15')).toEqual({ ErrorCode: 0 });
    clocked.write({ zone: TimeZone.KATMANDU });
    expect(clocked.shows).toBe('2031-05-17 08:30:15');
  });

  test('moves UTC by as much as local time', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.tell(0);
    clocked.write({ role: 0 });
    await clocked.set('2026-07-15 13:00:00');
    expect(clocked.bench.device.time.utc).toBe(Date.UTC(2026, 6, 15, 12));
  });
});

test('as TX_PTP_SLAVE it says that it is not synchronised, asks nobody, and can be set', async () => {
  const clocked = await Clocked.open();
  clocked.write({ role: 3 });
  await until(() => clocked.state.Fault !== '');
  expect(clocked.state).toMatchObject({ Role: 3, Synchronised: false, NextExchange: 0 });
  expect(clocked.state.Fault).toContain('PTP');
  expect(clocked.told).toEqual(['PTP is not supported: the clock is not synchronised']);
  expect(await clocked.set('2031-05-17 08:30:15')).toEqual({ ErrorCode: 0 });
  await clocked.pass(hour);
  expect(clocked.servers.asked).toEqual([]);
});

describe('a reboot', () => {
  test('forgets the time, and asks again where the role is stored', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await clocked.servers.tell(hour);
    await clocked.bench.respond('WriteEeprom');
    await clocked.bench.reboot();
    expect(clocked.state).toMatchObject({ Role: 1, Synchronised: false, LastExchange: 0 });
    expect(clocked.shows).toBe('2026-01-15 12:00:02');
    await clocked.servers.tell(hour);
    expect(clocked.shows).toBe('2026-01-15 14:00:02');
  });

  test('breaks off what is under way, and nothing is asked while it is down', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await until(() => clocked.servers.isAsked);
    clocked.bench.device.lifecycle.reboot();
    expect(clocked.servers.brokenOff).toBe(1);
    await clocked.servers.tell(hour);
    expect(clocked.shows).toBe('2026-01-15 12:00:00');
    await clocked.pass(1999);
    expect(clocked.servers.asked).toHaveLength(1);
  });

  test('for good leaves nothing behind', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await until(() => clocked.servers.isAsked);
    await clocked.bench.device.close();
    expect(clocked.servers.brokenOff).toBe(1);
    await clocked.pass(24 * hour);
    expect(clocked.servers.asked).toHaveLength(1);
  });
});

test('a scanner that is closed while it boots asks nobody', async () => {
  const clocked = await Clocked.open();
  clocked.write({ role: 1 });
  await clocked.servers.tell(0);
  await clocked.bench.respond('WriteEeprom');
  clocked.bench.device.lifecycle.reboot();
  clocked.bench.clock.advance(2000);
  await clocked.bench.device.close();
  await settled();
  expect(clocked.servers.asked).toHaveLength(1);
});

describe('time that is skipped', () => {
  test('has the server asked once, when it is over', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1, updateTime: 1 });
    await clocked.servers.tell(0);
    clocked.bench.device.skipTime(() => clocked.bench.clock.advance(400 * 24 * hour));
    await settled();
    expect(clocked.servers.asked).toHaveLength(2);
    await clocked.servers.tell(-400 * 24 * hour);
    expect(clocked.shows).toBe('2026-01-15 13:00:00');
  });

  test('has a request under way sent again', async () => {
    const clocked = await Clocked.open();
    clocked.write({ role: 1 });
    await until(() => clocked.servers.isAsked);
    clocked.bench.device.skipTime(() => clocked.bench.clock.advance(hour));
    expect(clocked.servers.brokenOff).toBe(1);
    expect(clocked.servers.asked).toHaveLength(2);
  });
});

test('the state is announced when it is another one', async () => {
  const clocked = await Clocked.open();
  const heard: TimeState[] = [];
  clocked.bench.device.announcements.follow(time, () => heard.push(clocked.state));
  clocked.write({ role: 1 });
  await clocked.servers.miss();
  await clocked.pass(2 * second);
  await clocked.servers.tell(0);
  clocked.write({ role: 0 });
  expect(heard.map(({ Role, Synchronised, Missed }) => [Role, Synchronised, Missed])).toEqual([
    [1, false, 0],
    [1, false, 1],
    [1, true, 0],
    [0, false, 0],
  ]);
});

test('at the end of the last year that it can tell, the clock stands still', async () => {
  const { bench } = await Clocked.open();
  const end: DateTime = {
    uiYear: 2105,
    usiMonth: 12,
    usiDay: 31,
    usiHour: 23,
    usiMinute: 59,
    usiSec: 59,
    udiUSec: 999_999,
  };
  await bench.respond('LSPsetdatetime', { DateTime: { ...end, usiSec: 58 } });
  expect(bench.device.read(LSPdatetime)).toEqual({ ...end, usiSec: 58 });
  bench.clock.advance(hour);
  expect(bench.device.read(LSPdatetime)).toEqual(end);
});
