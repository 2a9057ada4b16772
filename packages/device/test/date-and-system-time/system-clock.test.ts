import { dateAndSystemTime, extensions, status } from '@azimuth/model';
import { FaultyStorage } from '@azimuth/test-support/faulty-storage';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { latch, promisesSettled } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { type ClockHardware, VirtualClock } from '../../src/index.js';
import { FakeTimeServers } from './fake-time-servers.js';

const { TSCRole } = dateAndSystemTime.members;
const { DeviceStatus } = status.members;
const { time } = extensions.members;
const noon = Date.UTC(2026, 0, 15, 12);
const newYear = { uiYear: 2030, usiMonth: 1, usiDay: 1, usiHour: 0, usiMinute: 0, usiSec: 0, udiUSec: 0 };
const limit = 5000;

/** A clock whose UTC somebody else sets. */
class SetClock extends VirtualClock {
  ahead = 0;

  override utc(): number {
    return super.utc() + this.ahead;
  }

  override utcAhead(): undefined {
    return undefined;
  }
}

/** A clock whose reads take a while, as those of a computer do. */
class SlowClock extends SetClock {
  #passed = 0;

  override monotonic(): number {
    this.#passed += 0.2;
    return super.monotonic() + this.#passed;
  }

  override utc(): number {
    return noon + this.ahead + this.monotonic();
  }
}

/** A scanner whose system has this clock. */
async function boardWith(clock: ClockHardware, timeServers?: FakeTimeServers, system = new SetClock()) {
  const board = await TestDevice.open({ connect: { clock }, timeServers }, new FaultyStorage(), system);
  const { device } = board;
  const { synchronisation, telegramTime, measuring } = device.features;
  return {
    board,
    system,
    synchronisation,
    state: () => device.read(time),
    deviceStatus: () => device.read(DeviceStatus),
    utc: () => synchronisation.time.utc,
    set: () => board.respond('LSPsetdatetime', { DateTime: newYear }),
    /** ms since 1970 in telegrams of what is measured now; ms since the boot if it is not synchronised. */
    telegramTime: () => {
      // The change begins with the next scan.
      system.advance(1000);
      const now = measuring.microseconds();
      return (now + telegramTime.offsetAt(now)) / 1000;
    },
    failures: () => board.log.lines.filter(({ severity }) => severity === 'error'),
  };
}

test('a clock of the system that nobody sets is followed once, whatever its reads take', async () => {
  const { board, system, state } = await boardWith(
    { disciplined: () => ({ by: 'NTP' }) },
    undefined,
    new SlowClock(),
  );
  const followed = () =>
    board.log.lines.filter(({ message }) => message === 'The clock follows that of the system').length;
  system.advance(60_000);
  expect([state().System, followed()]).toEqual(['NTP', 1]);
  system.ahead = 250;
  system.advance(2000);
  expect(followed()).toBe(2);
});

describe('LSPsetdatetime', () => {
  test('sets the clock of the system, in UTC', async () => {
    const given: number[] = [];
    const { set, utc, state } = await boardWith({ set: (to) => void given.push(to) });
    expect(await set()).toEqual({ ErrorCode: 0 });
    expect(given).toEqual([Date.UTC(2030, 0, 1)]);
    expect(utc()).toBe(Date.UTC(2030, 0, 1));
    expect(state()).toMatchObject({ Synchronised: false, System: '' });
  });

  test('sets the device clock to what it is by then, if the system takes its time', async () => {
    const done = latch();
    const { set, utc, system } = await boardWith({ set: () => done.opened });
    const response = set();
    await promisesSettled();
    expect(utc()).toBe(noon);
    system.advance(2000);
    done.open();
    expect(await response).toEqual({ ErrorCode: 0 });
    expect(utc()).toBe(Date.UTC(2030, 0, 1, 0, 0, 2));
  });

  test.each<[string, ClockHardware['set']]>([
    [
      'throws',
      () => {
        throw new Error('timedatectl: access denied');
      },
    ],
    ['rejects', async () => Promise.reject(new Error('timedatectl: access denied'))],
    ['never answers', () => new Promise(() => undefined)],
  ])('is refused by a system that %s: the clock stays, DeviceStatus is 7, with one line', async (_, fail) => {
    const { set, utc, system, deviceStatus, failures } = await boardWith({ set: fail });
    const response = set();
    await promisesSettled();
    system.advance(limit);
    expect(await response).toEqual({ ErrorCode: 1 });
    expect(utc()).toBe(noon + limit);
    expect(deviceStatus()).toBe(7);
    expect(failures()).toHaveLength(1);
  });
});

describe('a system whose clock is disciplined', () => {
  test.each(['NTP', 'PTP'] as const)('by %s gives telegrams UTC, and says so', async (by) => {
    const { state, telegramTime, system, set, board } = await boardWith({ disciplined: () => ({ by }) });
    expect(state()).toMatchObject({ Role: 0, Synchronised: true, System: by, Fault: '' });
    expect(telegramTime()).toBe(system.utc());
    expect(await set()).toEqual({ ErrorCode: 1 });
    await board.reboot();
    expect(state()).toMatchObject({ Synchronised: true, System: by });
    expect(telegramTime()).toBe(system.utc());
  });

  test('is followed when it is set, and telegrams return to uptime when it is left alone', async () => {
    let discipline: ReturnType<NonNullable<ClockHardware['disciplined']>>;
    const { state, telegramTime, system, synchronisation, board } = await boardWith({
      disciplined: () => discipline,
    });
    const changes: string[] = [];
    board.device.announcements.subscribe((changed) => changed.includes(time) && changes.push(state().System));
    expect(state()).toMatchObject({ Synchronised: false, System: '' });
    expect(telegramTime()).toBe(system.monotonic());
    discipline = { by: 'NTP' };
    system.ahead = 3_600_000;
    synchronisation.disciplineChanged();
    expect(telegramTime()).toBe(system.utc());
    system.ahead = 3_600_250;
    synchronisation.disciplineChanged();
    expect(telegramTime()).toBe(system.utc());
    synchronisation.disciplineChanged();
    discipline = undefined;
    synchronisation.disciplineChanged();
    expect(state()).toMatchObject({ Synchronised: false, System: '' });
    expect(telegramTime()).toBe(system.monotonic());
    expect(changes).toEqual(['NTP', '']);
  });

  test('counts only while the server of the scanner gives no time', async () => {
    const servers = new FakeTimeServers();
    const { state, telegramTime, system, board } = await boardWith(
      { disciplined: () => ({ by: 'PTP' }) },
      servers,
    );
    board.device.write(TSCRole, 1, atService);
    expect(state()).toMatchObject({ Role: 1, Synchronised: true, System: 'PTP' });
    await servers.respondWithTime(7000);
    expect(state()).toMatchObject({ Role: 1, Synchronised: true, System: '', Stratum: 2 });
    expect(telegramTime()).toBe(system.utc() + 7000);
    // The server is lost.
    system.advance(3 * 600_000);
    expect(state()).toMatchObject({ Role: 1, Synchronised: true, System: 'PTP' });
    expect(telegramTime()).toBe(system.utc());
    board.device.write(TSCRole, 0, atService);
    expect(telegramTime()).toBe(system.utc());
  });

  test.each([5, {}, { by: 'GPS' }, null, Promise.resolve({ by: 'NTP' })])(
    'and tells %s keeps the last state, with DeviceStatus 7 and one line',
    async (wrong) => {
      let value: unknown = { by: 'NTP' };
      const clock: ClockHardware = {};
      Reflect.set(clock, 'disciplined', () => value);
      const { state, deviceStatus, failures, synchronisation } = await boardWith(clock);
      value = wrong;
      for (let times = 0; times < 3; times++) synchronisation.disciplineChanged();
      expect(state()).toMatchObject({ Synchronised: true, System: 'NTP' });
      expect(deviceStatus()).toBe(7);
      expect(failures()).toHaveLength(1);
      value = undefined;
      synchronisation.disciplineChanged();
      expect(state()).toMatchObject({ Synchronised: false });
      expect(deviceStatus()).toBe(3);
    },
  );
});
