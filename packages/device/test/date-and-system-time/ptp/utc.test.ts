import { PtpFlag } from '@azimuth/telegrams/ptp';
import { describe, expect, test } from 'vitest';
import { first, PtpDevice } from './ptp-device.js';

const day = 86_400_000;
/** ms from noon of 15 January, at which the host's clock starts, to two minutes before midnight of that day and of the month. */
const beforeMidnight = day / 2 - 120_000;
const endOfMonth = 16 * day + beforeMidnight;

/** ms to the next midnight UTC by the master. */
function toMidnight(device: PtpDevice): number {
  return day - (device.master.utc % day);
}

describe('UTC', () => {
  test('is the time of the master without its offset from TAI', async () => {
    const device = await PtpDevice.following({ ...first, utcOffset: 37 });
    device.pass(10);
    expect(device.state.Ptp.UtcOffset).toBe(37);
    expect(Math.abs(device.error())).toBeLessThan(0.01);
  });

  test('follows an offset that the master corrects', async () => {
    const device = await PtpDevice.following({ ...first, utcOffset: 37 });
    device.pass(10);
    const before = device.test.device.features.synchronisation.time.utc;
    device.master.announce({ utcOffset: 30 });
    device.pass(0);
    expect(device.state.Ptp.UtcOffset).toBe(37);
    device.master.announce({ utcOffset: 30 });
    device.pass(0);
    expect(device.state.Ptp.UtcOffset).toBe(30);
    expect(device.test.device.features.synchronisation.time.utc - before).toBeCloseTo(7000, 3);
  });

  test('does not change while a master announces two offsets in turn', async () => {
    const device = await PtpDevice.following({ ...first, utcOffset: 37, announceInterval: 4 });
    for (let count = 0; count < 3; count++) {
      device.master.announce();
      device.pass(5);
    }
    const before = device.logged.length;
    expect(device.state.Synchronised).toBe(true);
    for (let count = 0; count < 100; count++) {
      device.master.announce({ utcOffset: count % 2 === 0 ? 30 : 37 });
      device.pass(0.1);
      expect(device.state.Ptp.UtcOffset).toBe(37);
    }
    expect(device.logged.length).toBe(before);
  });

  test('changes every 2 s at most', async () => {
    const device = await PtpDevice.following({ ...first, utcOffset: 37, announceInterval: 4 });
    for (let count = 0; count < 3; count++) {
      device.master.announce();
      device.pass(5);
    }
    const offsets: number[] = [];
    for (let count = 0; count < 40; count++) {
      device.master.announce({ utcOffset: count % 4 < 2 ? 30 : 37 });
      device.pass(0.1);
      offsets.push(device.state.Ptp.UtcOffset);
    }
    const changes = offsets.filter((offset, index) => offset !== (offsets[index - 1] ?? 37));
    expect(changes).toEqual([30, 37]);
  });

  test('is 37 s behind TAI for a master that does not know', async () => {
    const device = await PtpDevice.following({ ...first, utcOffset: 37 });
    device.pass(10);
    device.master.announce({ utcOffset: 0, flags: PtpFlag.ptpTimescale });
    device.pass(0);
    expect(device.state.Ptp.UtcOffset).toBe(37);
  });

  test('does not exist for a master whose time is outside the calendar', async () => {
    const device = await PtpDevice.following({ ...first, ahead: 100 * 365 * day });
    device.pass(20);
    expect(device.state).toMatchObject({
      Synchronised: false,
      Fault: 'the PTP master states a time before 1970 or after 2104',
    });
  });
});

describe('a leap second', () => {
  test.each([
    ['inserted', PtpFlag.leap61, 1, 38, 'in time', 0],
    ['inserted', PtpFlag.leap61, 1, 38, 'late', 3000],
    ['inserted', PtpFlag.leap61, 1, 38, 'early', -3000],
    ['left out', PtpFlag.leap59, -1, 36, 'in time', 0],
    ['left out', PtpFlag.leap59, -1, 36, 'late', 3000],
    ['left out', PtpFlag.leap59, -1, 36, 'early', -3000],
  ] as const)(
    'is %s at midnight (flag %i, change %i, then offset %i), whether the master announces that in time, early or late: %s',
    async (_, flag, leap, after, __, late) => {
      const device = await PtpDevice.following({
        ...first,
        utcOffset: 37,
        flags: flag,
        ahead: endOfMonth,
      });
      device.pass(20);
      expect(device.state.Ptp).toMatchObject({ UtcOffset: 37, Leap: leap });
      device.pass(toMidnight(device) / 1000 - 60);
      // The master's own UTC, which the test compares with, has the leap second at once.
      const midnight = device.master.utc + toMidnight(device) - (leap < 0 ? 1000 : 0);
      const { script } = device.master;
      const { clock, time } = device.test.context;
      const toMaster = midnight - device.master.utc;
      clock.after(toMaster + late, () => {
        script.utcOffset = after;
        script.flags = 0;
        // TAI has a constant rate.
        script.ahead = (script.ahead ?? 0) - leap * 1000;
      });
      device.pass(toMaster / 1000 - 1);
      expect(time.utc).toBeCloseTo(midnight - 1000, 1);
      expect(device.state.Ptp.UtcOffset).toBe(37);
      device.pass(1.5);
      expect(time.utc).toBeCloseTo(midnight + 500 - leap * 1000, 1);
      expect(device.state.Ptp).toMatchObject({ UtcOffset: after, Leap: 0 });
      device.pass(30);
      expect(time.utc).toBeCloseTo(midnight + 30_500 - leap * 1000, 1);
      expect(Math.abs(device.error())).toBeLessThan(0.1);
      expect(device.logged.filter((line) => line.includes('leap second'))).toHaveLength(1);
    },
  );

  test.each([500, 3000])(
    'is inserted once, if the flag stays for %i ms when the offset has changed already',
    async (late) => {
      const device = await PtpDevice.following({
        ...first,
        utcOffset: 37,
        flags: PtpFlag.leap61,
        announceInterval: -2,
        ahead: endOfMonth,
      });
      device.pass(20);
      const { script } = device.master;
      const toMaster = toMidnight(device);
      device.test.device.clock.after(toMaster, () => {
        script.utcOffset = 38;
        script.ahead = (script.ahead ?? 0) - 1000;
      });
      device.test.device.clock.after(toMaster + late, () => {
        script.flags = 0;
      });
      device.pass(toMaster / 1000 + 10);
      expect(Math.abs(device.error())).toBeLessThan(0.1);
      expect(device.state.Ptp).toMatchObject({ UtcOffset: 38, Leap: 0 });
    },
  );

  test.each([
    ['both flags at once', PtpFlag.leap61 | PtpFlag.leap59],
    ['a flag that is taken back before midnight', PtpFlag.leap61],
  ])('is not applied after %s', async (_, flags) => {
    const device = await PtpDevice.following({ ...first, utcOffset: 37, flags, ahead: endOfMonth });
    device.pass(20);
    device.pass(toMidnight(device) / 1000 - 30);
    device.master.script.flags = 0;
    device.pass(60);
    expect(device.state.Ptp).toMatchObject({ UtcOffset: 37, Leap: 0 });
    expect(Math.abs(device.error())).toBeLessThan(0.1);
    expect(device.logged.filter((line) => line.includes('leap second'))).toEqual([]);
  });

  test('is applied once, if the flag stays for more than an hour of the next day', async () => {
    const device = await PtpDevice.following({
      ...first,
      utcOffset: 37,
      flags: PtpFlag.leap61,
      ahead: endOfMonth,
    });
    device.pass(20);
    const { script } = device.master;
    device.test.device.clock.after(toMidnight(device), () => {
      script.utcOffset = 38;
      script.ahead = (script.ahead ?? 0) - 1000;
    });
    device.pass(70 * 60);
    expect(device.state.Ptp).toMatchObject({ UtcOffset: 38, Leap: 0 });
    expect(Math.abs(device.error())).toBeLessThan(0.1);
    expect(device.logged.filter((line) => line.includes('leap second'))).toHaveLength(1);
  });

  test('is announced on the last day of a month only', async () => {
    const device = await PtpDevice.following({
      ...first,
      utcOffset: 37,
      flags: PtpFlag.leap61,
      ahead: beforeMidnight,
    });
    device.pass(20);
    expect(device.state.Ptp.Leap).toBe(0);
    device.pass(toMidnight(device) / 1000 + 10);
    expect(Math.abs(device.error())).toBeLessThan(0.1);
  });
});
