import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../src/index.js';
import { Pulse } from '../../src/measuring/pulse.js';

describe('an even pulse', () => {
  test('comes at its rate, for everybody at once', () => {
    const clock = new VirtualClock();
    let made = 0;
    const pulse = new Pulse(clock, 25, () => ++made);
    const heard: string[] = [];
    pulse.watch((value) => heard.push(`a${value}@${clock.monotonic()}`));
    pulse.watch((value) => heard.push(`b${value}@${clock.monotonic()}`));
    clock.advance(80);
    expect(heard).toEqual(['a1@40', 'b1@40', 'a2@80', 'b2@80']);
  });

  test('makes nothing without listeners', () => {
    const clock = new VirtualClock();
    let made = 0;
    const pulse = new Pulse(clock, 100, () => ++made);
    clock.advance(1000);
    expect(made).toBe(0);
    const stop = pulse.watch(() => undefined);
    clock.advance(100);
    expect(made).toBe(10);
    stop();
    clock.advance(1000);
    expect(made).toBe(10);
  });

  test('rests while it is paused, and catches nothing up', () => {
    const clock = new VirtualClock();
    let made = 0;
    const pulse = new Pulse(clock, 100, () => ++made);
    pulse.watch(() => undefined);
    pulse.pause();
    clock.advance(3_600_000);
    expect(made).toBe(0);
    pulse.resume();
    clock.advance(20);
    expect(made).toBe(2);
  });

  test('stops for a listener that ends it while it is called', () => {
    const clock = new VirtualClock();
    const pulse = new Pulse(clock, 100, () => undefined);
    let heard = 0;
    const stop = pulse.watch(() => {
      heard += 1;
      stop();
    });
    clock.advance(100);
    expect(heard).toBe(1);
  });

  test('that is late keeps its rate, and leaves out what is more than ten pulses late', () => {
    const inner = new VirtualClock();
    let behind = 0;
    const clock = {
      monotonic: () => inner.monotonic() + behind,
      utc: () => 0,
      localOffset: () => 0,
      after: (milliseconds: number, callback: () => void) => inner.after(milliseconds, callback),
      catchUp: () => undefined,
    };
    const heard: number[] = [];
    const due: number[] = [];
    new Pulse(clock, 100, (at) => {
      due.push(at);
      return clock.monotonic();
    }).watch((at) => heard.push(at));
    // The timer was booked before the process fell 3 ms behind: that pulse is late, and the next one is not.
    inner.advance(10);
    behind = 3;
    inner.advance(10);
    expect(heard).toEqual([10, 23]);
    inner.advance(7);
    expect(heard).toEqual([10, 23, 30]);
    // The pulses of 40 to 80 ms come one by one at 85 ms, because fewer than ten are late.
    behind += 45;
    inner.advance(10);
    inner.advance(0);
    expect(heard.slice(3)).toEqual([85, 85, 85, 85, 85]);
    // A second later a hundred are late: one comes, and then those that fall due.
    behind += 1000;
    inner.advance(5);
    expect(heard.slice(8)).toEqual([1090]);
    inner.advance(20);
    expect(heard.slice(8)).toEqual([1090, 1100, 1110]);
    // Each gets its due time, regardless of the delay.
    expect(due).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 1090, 1100, 1110]);
  });
});
