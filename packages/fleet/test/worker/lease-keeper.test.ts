import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseUnavailable, type Lease, OutageLog, type Renewed } from '../../src/database/index.js';
import { LeaseKeeper } from '../../src/worker/lease-keeper.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const lease: Lease = { shard: 3, epoch: 7 };
const renewed: Renewed = { lost: [], skipped: [] };
const second = 1000;
const away = new DatabaseUnavailable('The database', 'no answer');

/** A keeper of a lease of 10 s, whose renewals end with these results. */
function someKeeper(...ends: readonly (Renewed | Error)[]) {
  let renewals = 0;
  let until = 10 * second;
  const now = vi.getMockedSystemTime()?.getTime() ?? 0;
  const clock = () => (vi.getMockedSystemTime()?.getTime() ?? 0) - now;
  const leases = {
    milliseconds: 10 * second,
    get remaining() {
      return until - clock();
    },
    async renew() {
      const end = ends[renewals] ?? renewed;
      renewals++;
      if (end instanceof Error) throw end;
      if (end.skipped.length === 0) until = clock() + 10 * second;
      return end;
    },
    endingIn: (milliseconds: number) => (until <= clock() + milliseconds ? [lease] : []),
    forget() {
      until = Number.POSITIVE_INFINITY;
    },
  };
  const lost: string[] = [];
  const keeper = new LeaseKeeper({
    leases,
    outages: new OutageLog({ info() {}, warn() {}, error() {} }),
    lost: (shards, why) => lost.push(...shards.map(({ shard, epoch }) => `${shard}/${epoch}: ${why}`)),
  });
  keeper.start();
  return { keeper, lost, renewals: () => renewals };
}

test('a lease whose row was locked while it was renewed is tried again at once', async () => {
  const { keeper, lost, renewals } = someKeeper({ lost: [], skipped: [lease] });
  await vi.advanceTimersByTimeAsync(2.5 * second);
  expect(renewals()).toBe(1);
  await vi.advanceTimersByTimeAsync(0.25 * second);
  expect(renewals()).toBe(2);
  await vi.advanceTimersByTimeAsync(2 * second);
  expect(renewals()).toBe(2);
  expect(lost).toEqual([]);
  await keeper.close();
});

test('after a renewal that failed, the next one comes at once', async () => {
  const { keeper, renewals } = someKeeper(...new Array<Error>(1000).fill(away));
  await vi.advanceTimersByTimeAsync(2.5 * second);
  expect(renewals()).toBe(1);
  await vi.advanceTimersByTimeAsync(0.25 * second);
  expect(renewals()).toBe(2);
  await keeper.close();
});

test('a lease that others have is lost, with its epoch', async () => {
  const { keeper, lost } = someKeeper({ lost: [lease], skipped: [] });
  await vi.advanceTimersByTimeAsync(2.5 * second);
  expect(lost).toEqual(['3/7: another process has its lease']);
  await keeper.close();
});

test('a lease that cannot be renewed is given up before it ends', async () => {
  const { keeper, lost } = someKeeper(...new Array<Error>(1000).fill(away));
  await vi.advanceTimersByTimeAsync(8.9 * second);
  expect(lost).toEqual([]);
  await vi.advanceTimersByTimeAsync(0.2 * second);
  expect(lost).toEqual(['3/7: its lease could not be renewed in time']);
  await keeper.close();
});
