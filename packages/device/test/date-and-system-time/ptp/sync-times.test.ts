import { PtpFlag, type PtpFollowUp, type PtpSync } from '@azimuth/telegrams/ptp';
import { describe, expect, test } from 'vitest';
import { SyncTimes } from '../../../src/date-and-system-time/ptp/sync-times.js';

const common = {
  domain: 0,
  sdoId: 0,
  correction: 0n,
  source: { clock: '001122fffe000001', port: 1 },
  logInterval: 0,
  tlvs: [],
};

function sync(sequence: number, flags: number = PtpFlag.twoStep, seconds = 0): PtpSync {
  return { ...common, kind: 'sync', flags, sequence, time: { seconds, nanoseconds: 0 } };
}

function followUp(sequence: number, seconds: number, correction = 0n): PtpFollowUp {
  return { ...common, kind: 'followUp', flags: 0, sequence, correction, time: { seconds, nanoseconds: 500 } };
}

describe('a Sync and a Follow_Up', () => {
  test('belong together by their number, in either order', () => {
    const times = new SyncTimes();
    expect(times.sync(sync(1), 100)).toBeUndefined();
    expect(times.followUp(followUp(1, 7))).toEqual({ at: 100, time: 7000.0005 });
    expect(times.followUp(followUp(2, 8))).toBeUndefined();
    expect(times.sync(sync(2), 200)).toEqual({ at: 200, time: 8000.0005 });
  });

  test('of different numbers do not, and the newer ones wait for theirs', () => {
    const times = new SyncTimes();
    times.sync(sync(1), 100);
    expect(times.followUp(followUp(2, 8))).toBeUndefined();
    expect(times.sync(sync(3), 300)).toBeUndefined();
    expect(times.followUp(followUp(3, 9))).toEqual({ at: 300, time: 9000.0005 });
    expect(times.followUp(followUp(3, 9))).toBeUndefined();
  });

  test('add both corrections', () => {
    const times = new SyncTimes();
    const millisecond = 1_000_000n * 65_536n;
    times.sync({ ...sync(1), correction: millisecond }, 100);
    expect(times.followUp(followUp(1, 7, 2n * millisecond))?.time).toBeCloseTo(7003.0005, 6);
  });
});

test('a Sync of a one-step master has its time with it', () => {
  expect(new SyncTimes().sync(sync(1, 0, 5), 100)).toEqual({ at: 100, time: 5000 });
});
