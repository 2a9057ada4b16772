import type { EncoderTelegram, ImuTelegram } from './compact.js';
import type { Telegram } from './telegram.js';

export function imuOf(telegrams: readonly Telegram[]): readonly ImuTelegram[] {
  return telegrams.flatMap((telegram) => (telegram.kind === 'imu' ? [telegram.imu] : []));
}

export function encoderOf(telegrams: readonly Telegram[]): readonly EncoderTelegram[] {
  return telegrams.flatMap((telegram) => (telegram.kind === 'encoder' ? [telegram.encoder] : []));
}

/** @throws Error unless the times rise from one to the next by `period` µs, give or take `jitter` */
export function demandEven(what: string, times: readonly number[], period: number, jitter: number): void {
  for (let at = 1; at < times.length; at += 1) {
    const step = (times[at] ?? 0) - (times[at - 1] ?? 0);
    if (step <= 0 || Math.abs(step - period) > jitter) {
      throw new Error(`${what}: ${period} µs expected between ${at - 1} and ${at}, got ${step}`);
    }
  }
}

/** @throws Error unless sequence and frame number rise by one, from `first` on, and the sender is the one stated */
export function demandCounted(readings: readonly EncoderTelegram[], sender: number, first = 1): void {
  const [begin] = readings;
  for (const [at, reading] of readings.entries()) {
    const expected = [first + at, (begin?.frame ?? 0) + at, sender];
    const got = [reading.sequence, reading.frame, reading.sender];
    if (got.join() !== expected.join()) {
      throw new Error(`encoder: sequence, frame and sender ${expected.join()} expected, got ${got.join()}`);
    }
    if (reading.transmitTime < reading.time) {
      throw new Error(`encoder: sent at ${reading.transmitTime}, read at ${reading.time}`);
    }
  }
}

/** @throws Error unless the scanner stands still and level */
export function demandAtRest(readings: readonly ImuTelegram[]): void {
  for (const { acceleration, angularVelocity, orientation } of readings) {
    const [x = 1, y = 1, z = 0] = acceleration;
    const weighs = Math.abs(x) < 1e-6 && Math.abs(y) < 1e-6 && Math.abs(z - 9.81) < 0.05;
    const turns = angularVelocity.some((speed) => Math.abs(speed) > 1e-6);
    const isLevel = Math.abs((orientation[0] ?? 0) - 1) < 1e-6;
    if (!weighs || turns || !isLevel)
      throw new Error(`IMU: at rest expected, got ${acceleration} ${orientation}`);
  }
}
