import { expect, test } from 'vitest';
import { Scanner, UnreachableError } from '../src/index.js';
import { rebootLimit, waitOutReboot } from '../src/reboot.js';

const url = 'http://scanner';

/** A scanner that is up or down at each probe, and the waits between the probes. */
function scanner(...states: readonly ('up' | 'down')[]) {
  const pauses: number[] = [];
  const left = [...states];
  return {
    pauses,
    left,
    watch: {
      url,
      probe: async () => {
        const state = left.length > 1 ? left.shift() : left[0];
        if (state === 'down') throw new UnreachableError('http://scanner', 'refused', undefined);
      },
      clock: { pause: async (ms: number) => void pauses.push(ms), now: () => 0 },
    },
  };
}

test('a reboot is over when the scanner did not answer and answers again', async () => {
  const { watch, left, pauses } = scanner('up', 'up', 'down', 'down', 'down', 'up');
  await waitOutReboot(watch);
  expect(left).toEqual(['up']);
  expect(pauses).toEqual([20, 20, 250, 250]);
});

test('a reboot is over if the scanner always answers', async () => {
  const { watch, pauses } = scanner('up');
  await waitOutReboot(watch);
  expect(pauses.reduce((sum, ms) => sum + ms)).toBe(3000);
});

test('the client waits ten minutes at most, or as long as it is told, and says so', async () => {
  const { watch, pauses } = scanner('up', 'down');
  await expect(waitOutReboot(watch)).rejects.toThrow(
    'http://scanner cannot be reached: it is not up again within 600 s after its reboot',
  );
  const short = scanner('up', 'down');
  await expect(
    waitOutReboot({ ...short.watch, limit: rebootLimit(short.watch.clock, 1000) }),
  ).rejects.toThrow('within 1 s after');
  expect(short.pauses.reduce((sum, ms) => sum + ms)).toBe(1020);
  expect(pauses.reduce((sum, ms) => sum + ms)).toBe(600_020);
});

test('the client does not wait after another failure', async () => {
  const probe = async () => {
    throw new TypeError('a bug');
  };
  await expect(
    waitOutReboot({ url, probe, clock: { pause: async () => undefined, now: () => 0 } }),
  ).rejects.toThrow(TypeError);
});

test('the limit of a scanner that is given is the one that counts', async () => {
  const away = new Scanner({ url: 'http://127.0.0.1:9', pause: async () => undefined });
  await expect(away.rebooted({ timeoutMs: 2000 })).rejects.toThrow(
    'it is not up again within 2 s after its reboot',
  );
});

test('what passes while a scanner does not answer counts, too', async () => {
  let now = 0;
  const probe = async () => {
    // As for a scanner behind a firewall: each probe runs into its own limit.
    now += 10_000;
    throw new UnreachableError(url, 'no answer within 10 s', undefined);
  };
  const pause = async (ms: number) => {
    now += ms;
  };
  const clock = { pause, now: () => now };
  const waiting = waitOutReboot({ url, probe, clock, limit: rebootLimit(clock, 60_000) });
  await expect(waiting).rejects.toThrow('it is not up again within 60 s after its reboot');
  expect(now).toBeLessThanOrEqual(80_000);
});
