import { recordedPtp } from '@azimuth/test-support/recorded-ptp';
import { expect, test } from 'vitest';
import { DeviceTime } from '../../../src/clock/device-time.js';
import { ClockFilter } from '../../../src/date-and-system-time/ptp/clock-filter.js';
import { Servo } from '../../../src/date-and-system-time/ptp/servo.js';
import { VirtualClock } from '../../../src/index.js';

const [first] = recordedPtp;
const begin = first?.at ?? Number.NaN;
/** ppm by which the clock of the scanner is too slow. */
const slow = 200;

/** ms of the clock of the scanner at a recorded time. */
function local(at: number): number {
  return (at - begin) * (1 - slow * 1e-6);
}

function ms({ seconds, nanoseconds }: { readonly seconds: number; readonly nanoseconds: number }): number {
  return seconds * 1000 + nanoseconds / 1e6;
}

test('a clock that is an hour off and drifts follows a recorded ptp4l within a tenth of a millisecond', () => {
  const filter = new ClockFilter();
  const clock = new VirtualClock(begin - 3_600_000);
  const time = new DeviceTime(clock);
  const servo = new Servo(time);
  const steps: boolean[] = [];
  let receivedAt = Number.NaN;
  let requestedAt = Number.NaN;
  for (const { at, message } of recordedPtp) {
    const now = local(at);
    if (message.kind === 'sync') receivedAt = now;
    if (message.kind === 'delayRequest') requestedAt = now;
    if (message.kind === 'followUp') filter.sync(receivedAt, ms(message.time));
    if (message.kind === 'delayResponse') filter.delay(requestedAt, ms(message.time));
    const estimate = filter.estimate(now);
    if (message.kind !== 'followUp' || estimate === undefined) continue;
    steps.push(servo.correct(estimate, now, 1000, () => () => 0).isStep);
  }
  const last = recordedPtp.at(-1)?.at ?? Number.NaN;
  const estimate = filter.estimate(local(last));
  expect(steps.length).toBeGreaterThan(5);
  expect(steps.filter((isStep) => isStep)).toEqual([true]);
  expect(Math.abs(time.utcAt(local(last)) - last)).toBeLessThan(0.1);
  expect(estimate?.delay).toBeLessThan(0.1);
  expect(Math.abs((estimate?.drift ?? 0) * 1e6 - slow)).toBeLessThan(30);
});
