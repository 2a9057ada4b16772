import { describe, expect, test } from 'vitest';
import { PacedClock } from '../../src/clock/paced-clock.js';

/** Keeps the thread busy for so many ms of the host. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('a clock with a factor', () => {
  test('calls back at exactly the time that is due, in its order', async () => {
    const clock = new PacedClock({ factor: 1000 });
    const times: number[] = [];
    const begin = clock.monotonic();
    const late: number[] = [];
    await new Promise<void>((resolve) => {
      // Within a callback, time stands still.
      clock.after(0, () => {
        const now = clock.monotonic();
        for (const wait of [3000, 100.25, 100, 2000]) {
          clock.after(wait, () => {
            late.push(clock.monotonic() - (now + wait));
            times.push(wait);
            if (times.length === 4) resolve();
          });
        }
      });
    });
    expect(times).toEqual([100, 100.25, 2000, 3000]);
    expect(late).toEqual([0, 0, 0, 0]);
    expect(clock.monotonic() - begin).toBeGreaterThanOrEqual(3000);
  });

  test('never goes back, whatever is added', async () => {
    const clock = new PacedClock({ factor: 500 });
    let last = clock.monotonic();
    for (let times = 0; times < 200; times++) {
      clock.after(times % 7, () => undefined);
      if (times % 20 === 0) await new Promise((resolve) => clock.after(10, () => resolve(undefined)));
      const now = clock.monotonic();
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
  });

  test('loses time that the machine is too slow for, and says how much', async () => {
    const lost: number[] = [];
    const clock = new PacedClock({ factor: 100, lost: (milliseconds) => lost.push(milliseconds) });
    let reached = Number.NaN;
    await new Promise<void>((resolve) => {
      clock.after(1, () => work(300));
      clock.after(2, () => undefined);
      clock.after(3, () => {
        reached = clock.monotonic();
        resolve();
      });
    });
    expect(clock.lost).toBeGreaterThan(0);
    expect(lost.at(-1)).toBe(clock.lost);
    // Callbacks that became due in this time were called all the same.
    expect(reached).toBeLessThan(300 * 100);
  });

  test('serves sockets between a few callbacks, however much is due', async () => {
    const clock = new PacedClock({ factor: 1000 });
    const most = 8;
    let [together, mostTogether, called] = [0, 0, 0];
    const pass = () => {
      mostTogether = Math.max(mostTogether, together);
      together = 0;
      if (called < 100) setImmediate(pass);
    };
    setImmediate(pass);
    await new Promise<void>((resolve) => {
      for (let count = 0; count < 100; count++) {
        clock.after(1, () => {
          together += 1;
          called += 1;
          if (called === 100) resolve();
        });
      }
      work(1);
    });
    expect(mostTogether).toBeGreaterThan(1);
    expect(mostTogether).toBeLessThanOrEqual(most);
  });

  test('is moved on with everything that falls due on the way', () => {
    const clock = new PacedClock({ factor: 0.01 });
    const begin = clock.monotonic();
    const times: number[] = [];
    clock.after(1000, () => {
      times.push(clock.monotonic());
      clock.after(500, () => times.push(clock.monotonic()));
    });
    clock.advance(60_000);
    const [first = 0, second = 0] = times;
    expect(second - first).toBeCloseTo(500, 6);
    expect(first - begin).toBeGreaterThanOrEqual(1000);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(begin + 60_000);
  });

  test('a callback that is called off is not called', async () => {
    const clock = new PacedClock({ factor: 1000 });
    let called = false;
    const cancel = clock.after(10, () => {
      called = true;
    });
    cancel();
    await new Promise((resolve) => clock.after(1000, () => resolve(undefined)));
    expect(called).toBe(false);
  });
});
