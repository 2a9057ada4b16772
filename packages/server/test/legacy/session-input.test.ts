import { VirtualClock } from '@azimuth/device';
import { expect, test } from 'vitest';
import { longestFrameTime } from '../../src/legacy/limits.js';
import { SessionInput } from '../../src/legacy/session-input.js';

const text = (command: string) => Buffer.from(`\x02${command}\x03`, 'latin1');
/** The beginning of a binary frame of 4 KiB. */
const begun = Buffer.from('0202020200001000', 'hex');

function someInput() {
  const clock = new VirtualClock();
  const state = { woken: 0 };
  const input = new SessionInput(clock, () => {
    state.woken++;
  });
  const next = () => {
    const telegram = input.next();
    return telegram === undefined ? undefined : (telegram.broken ?? Buffer.from(telegram.payload).toString());
  };
  return { clock, state, input, next };
}

test('requests in front of a frame whose end does not come are all served, and then those that it hides', () => {
  const { clock, state, input, next } = someInput();
  input.push(
    Buffer.concat([text('sRN first'), text('sRN second'), text('sRN third'), begun, text('sRN hidden')]),
  );
  expect(next()).toBe('sRN first');
  clock.advance(longestFrameTime - 1);
  expect(state.woken).toBe(0);
  clock.advance(1);
  expect(state.woken).toBe(1);
  expect([next(), next(), next(), next(), next()]).toEqual([
    'sRN second',
    'sRN third',
    'unfinished',
    'sRN hidden',
    undefined,
  ]);
  expect(input.isEmpty).toBe(true);
});

test('requests behind a frame whose end has not come in time are served', () => {
  const { clock, input, next } = someInput();
  input.push(begun);
  expect(next()).toBeUndefined();
  clock.advance(longestFrameTime);
  input.push(text('sRN behind'));
  expect([next(), next(), next()]).toEqual(['unfinished', 'sRN behind', undefined]);
});

test('a frame that goes on in time is not given up, and its time begins anew with the next one', () => {
  const { clock, state, input, next } = someInput();
  const payload = Buffer.from('sRN whole');
  const whole = Buffer.concat([
    Buffer.from([2, 2, 2, 2, 0, 0, 0, payload.length]),
    payload,
    Buffer.from([payload.reduce((sum, byte) => sum ^ byte, 0)]),
  ]);
  input.push(whole.subarray(0, 12));
  expect(next()).toBeUndefined();
  clock.advance(longestFrameTime - 1);
  input.push(Buffer.concat([whole.subarray(12), begun]));
  expect(next()).toBe('sRN whole');
  expect(next()).toBeUndefined();
  clock.advance(longestFrameTime - 1);
  expect(state.woken).toBe(0);
  clock.advance(1);
  expect([state.woken, next()]).toEqual([1, 'unfinished']);
});

test('a session that has ended waits for nothing', () => {
  const { clock, state, input, next } = someInput();
  input.push(begun);
  expect([next(), clock.next === undefined]).toEqual([undefined, false]);
  input.end();
  clock.advance(2 * longestFrameTime);
  expect(state.woken).toBe(0);
});
