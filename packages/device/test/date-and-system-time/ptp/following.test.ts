import { dateAndSystemTime, extensions, PtpState } from '@azimuth/model';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { atService } from '@azimuth/test-support/test-device';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { first, PtpDevice } from './ptp-device.js';

const hour = 3_600_000;

/** Delays in ms: mostly short, sometimes long. */
function jitter(seed: string, shortest: number, typical: number): () => number {
  const random = new SeededRandom(seed);
  return () => shortest + (random.below(1000) / 1000) ** 4 * typical;
}

describe('a slave', () => {
  test('opens nothing before TSCRole is 3, and closes it afterwards', async () => {
    const device = await PtpDevice.open();
    device.pass(10);
    expect(device.network.isOpened).toBe(0);
    await device.role(1);
    expect(device.network.isOpened).toBe(0);
    await device.role(3);
    expect([device.network.isOpened, device.network.isClosed]).toEqual([1, 0]);
    expect(device.state.Ptp.State).toBe(PtpState.LISTENING);
    await device.role(0);
    expect([device.network.isOpened, device.network.isClosed]).toEqual([1, 1]);
    expect(device.state).toMatchObject({ Role: 0, Fault: '', Ptp: { State: PtpState.DISABLED } });
  });

  test.each([
    ['two-step', {}],
    ['one-step', { oneStep: true }],
    [
      'two-step whose Follow_Up comes first',
      { followUpFirst: true, delayToScanner: () => 0.3, back: () => 0.3 },
    ],
    ['one-step at ten messages a second', { oneStep: true, syncInterval: -3, announceInterval: -2 }],
  ])('takes the time of a %s master with one step', async (_, script) => {
    const device = await PtpDevice.following({ ...first, ...script });
    device.pass(0.4);
    expect(device.state.Synchronised).toBe(false);
    device.pass(6.6);
    expect(device.state).toMatchObject({
      Role: 3,
      Synchronised: true,
      Stratum: 0,
      Fault: '',
      Ptp: {
        State: PtpState.SLAVE,
        Grandmaster: first.clock,
        Master: `${first.clock}-1`,
        MasterAddress: [10, 0, 0, 1],
        Priority1: 128,
        ClockClass: 6,
        Priority2: 128,
        StepsRemoved: 1,
        UtcOffset: 0,
        Leap: 0,
      },
    });
    expect(Math.abs(device.error())).toBeLessThan(0.01);
    device.pass(60);
    expect(device.logged).toEqual([
      'The scanner follows a PTP master',
      'The clock is synchronised',
      'From the next scan on, times in telegrams are µs since 1970-01-01 UTC',
    ]);
    expect(device.test.log.lines[1]?.facts).toMatchObject({ correction: hour });
  });

  test('measures the path delay, and leaves out what network devices report', async () => {
    const random = new SeededRandom('residence');
    const device = await PtpDevice.following({
      ...first,
      delayToScanner: () => 2,
      back: () => 2,
      correction: () => random.below(5_000_000),
    });
    device.pass(30);
    expect(device.state.Ptp.PathDelay).toBeCloseTo(2, 2);
    expect(device.state.RoundTrip).toBeCloseTo(4, 2);
    expect(Math.abs(device.error())).toBeLessThan(0.01);
  });

  test.each([200, -200, 450])('follows a master that is faster by %d ppm', async (drift) => {
    const device = await PtpDevice.following({ ...first, drift, delayToScanner: () => 0.2, back: () => 0.2 });
    device.pass(60);
    expect(device.state.Ptp.Drift).toBeCloseTo(drift, 0);
    expect(Math.abs(device.error())).toBeLessThan(0.05);
    expect(Math.abs(device.telegramError())).toBeLessThan(50);
    expect(Math.abs(device.state.Offset)).toBeLessThan(0.05);
  });

  test('stays within a millisecond with jitter in one direction', async () => {
    const device = await PtpDevice.following({
      ...first,
      drift: -200,
      delayToScanner: jitter('there', 0.2, 20),
      back: () => 0.2,
    });
    device.pass(60);
    const errors = Array.from({ length: 120 }, () => {
      device.pass(1);
      return Math.abs(device.error());
    }).sort((one, other) => one - other);
    expect(errors[60]).toBeLessThan(0.5);
    expect(errors.at(-1)).toBeLessThan(2);
  });

  test('keeps times in telegrams monotonic while it slews', async () => {
    const device = await PtpDevice.following({
      ...first,
      drift: 200,
      syncInterval: -3,
      delayToScanner: jitter('there', 0.2, 3),
      back: jitter('back', 0.2, 3),
    });
    device.pass(20);
    device.master.script.ahead = hour + 40;
    let before = device.telegramTime;
    for (let step = 0; step < 60_000; step++) {
      device.pass(0.001);
      const now = device.telegramTime;
      expect(now).toBeGreaterThan(before + 900);
      expect(now).toBeLessThan(before + 1100);
      before = now;
    }
    device.pass(60);
    expect(Math.abs(device.error())).toBeLessThan(1);
    expect(device.logged.filter((line) => line.includes('corrected'))).toEqual([]);
  });

  test('does not let the clock be set by hand, and goes on from its time afterwards', async () => {
    const device = await PtpDevice.following({ ...first, drift: 100 });
    device.pass(30);
    const DateTime = {
      uiYear: 2031,
      usiMonth: 5,
      usiDay: 1,
      usiHour: 1,
      usiMinute: 2,
      usiSec: 3,
      udiUSec: 0,
    };
    expect(await device.test.respond('LSPsetdatetime', { DateTime })).toEqual({ ErrorCode: 1 });
    await device.role(0);
    expect(Math.abs(device.error())).toBeLessThan(0.05);
    expect(device.logged.at(-1)).toBe('From the next scan on, times in telegrams are µs since the last boot');
    expect(await device.test.respond('LSPsetdatetime', { DateTime })).toEqual({ ErrorCode: 0 });
    expect(device.test.device.features.synchronisation.time.now()).toEqual(DateTime);
  });

  test('begins anew after a boot, and after skipped time', async () => {
    const device = await PtpDevice.following(first);
    device.pass(10);
    await device.test.respond('WriteEeprom', {});
    await device.test.reboot();
    await until(() => device.network.isOpened === 2);
    expect(device.state.Synchronised).toBe(false);
    device.pass(10);
    expect(device.state.Synchronised).toBe(true);
    device.test.device.features.synchronisation.pause();
    device.pass(500);
    device.master.script.ahead = hour + 777_000;
    device.test.device.features.synchronisation.resume();
    expect(Math.abs(device.error())).toBeGreaterThan(700_000);
    device.pass(10);
    expect(Math.abs(device.error())).toBeLessThan(0.01);
  });
});

test('a change of state is announced at once, and changes of numbers at most once a second', async () => {
  const device = await PtpDevice.following({ ...first, drift: 100, syncInterval: -4, oneStep: true });
  let announced = 0;
  device.test.device.announcements.subscribeTo([extensions.members.time], () => {
    announced += 1;
  });
  device.pass(60);
  expect(announced).toBeGreaterThan(40);
  expect(announced).toBeLessThan(65);
  const before = announced;
  device.network.listener?.failed('the cable is out');
  expect(announced).toBe(before + 1);
});

test('the drift is known at once when a lost master comes back', async () => {
  const device = await PtpDevice.following({ ...first, drift: 450 });
  device.pass(120);
  device.master.isSilent = true;
  device.pass(30);
  expect(device.state.Ptp.State).toBe(PtpState.LISTENING);
  device.master.isSilent = false;
  for (let count = 0; count < 200; count++) {
    device.pass(0.1);
    expect(device.state.Ptp.Drift).toBeCloseTo(450, 0);
  }
});

test('the address of a time server changes nothing for telegrams', async () => {
  const device = await PtpDevice.following(first);
  device.pass(30.3);
  for (const last of [77, 78]) {
    device.test.device.write(dateAndSystemTime.members.TSCTCSrvAddr, [192, 168, 0, last], atService);
    for (let count = 0; count < 20; count++) {
      device.pass(0.02);
      expect(Math.abs(device.telegramError())).toBeLessThan(1000);
    }
    expect(device.state.Server).toEqual([192, 168, 0, last]);
    // The second time in holdover.
    device.master.isSilent = true;
    device.pass(20);
  }
});
