import { PtpFlag } from '@azimuth/telegrams/ptp';
import { describe, expect, test } from 'vitest';
import { first, PtpDevice } from './ptp-device.js';

const day = 86_400_000;
/** ms from noon, at which the host's clock starts, to two minutes before midnight. */
const beforeMidnight = day / 2 - 120_000;

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
    const before = device.test.device.time.utc;
    device.master.announce({ utcOffset: 30 });
    expect(device.state.Ptp.UtcOffset).toBe(37);
    device.pass(0);
    expect(device.state.Ptp.UtcOffset).toBe(30);
    expect(device.test.device.time.utc - before).toBeCloseTo(7000, 3);
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
    ['left out', PtpFlag.leap59, -1, 36, 'late', 3000],
  ] as const)(
    'is %s at midnight (flag %i, change %i, then offset %i), whether the master announces that in time, early or late: %s',
    async (_, flag, leap, after, __, late) => {
      const device = await PtpDevice.following({
        ...first,
        utcOffset: 37,
        flags: flag,
        ahead: beforeMidnight,
      });
      device.pass(20);
      expect(device.state.Ptp).toMatchObject({ UtcOffset: 37, Leap: leap });
      device.pass(toMidnight(device) / 1000 - 60);
      // The master's own UTC, which the test compares with, has the leap second at once.
      const midnight = device.master.utc + toMidnight(device) - (leap < 0 ? 1000 : 0);
      const { script } = device.master;
      const { clock, time } = device.test.device;
      const toMaster = midnight - device.master.utc;
      clock.after(toMaster + late, () => {
        script.utcOffset = after;
        script.flags = 0;
        // TAI goes on evenly.
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
});
