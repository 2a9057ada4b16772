import { VirtualClock } from '@azimuth/device';
import { demandCounted, encoderOf } from '@azimuth/test-support/streams/pulses';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { serial, VirtualScanner } from '@azimuth/test-support/streams/virtual-scanner';
import { describe, expect, it } from 'vitest';

/** 2^32: where the counter begins anew. */
const whole = 4_294_967_296;

/** As clocks are: two looks at it are two moments, some µs apart, now more, now less. */
class RunningClock extends VirtualClock {
  #looks = 0;
  #ahead = 0;

  override monotonic(): number {
    this.#looks += 1;
    this.#ahead += 0.005 + 0.001 * (this.#looks % 13);
    return super.monotonic() + this.#ahead;
  }
}

async function streaming(clock = new VirtualClock()) {
  const scanner = await VirtualScanner.start({ clock });
  const receiver = await UdpReceiver.open();
  await scanner.send('encoder', 'UDP', receiver.port);

  /** The readings of the time that now passes. */
  async function over(milliseconds: number) {
    receiver.rest();
    await scanner.pass(milliseconds);
    return encoderOf(receiver.rest());
  }

  return { scanner, receiver, over };
}

/** From each reading to the next, as a number with a sign. */
function steps(readings: readonly { ticks: number }[]): number[] {
  return readings.slice(1).map(({ ticks }, index) => {
    const step = ticks - (readings[index]?.ticks ?? 0);
    if (step > whole / 2) return step - whole;
    return step < -whole / 2 ? step + whole : step;
  });
}

describe('the encoder', () => {
  it.each([
    { mode: 'off', setting: 0, driven: 500, ticks: 0, speed: 0 },
    { mode: 'increment', setting: 1, driven: 500, ticks: 20, speed: 500 },
    { mode: 'increment, backwards', setting: 1, driven: -500, ticks: 20, speed: 500 },
    { mode: 'phase', setting: 2, driven: 500, ticks: 20, speed: 500 },
    { mode: 'phase, backwards', setting: 2, driven: -500, ticks: -20, speed: -500 },
    { mode: 'level', setting: 3, driven: 500, ticks: 20, speed: 500 },
    { mode: 'level, backwards', setting: 3, driven: -500, ticks: -20, speed: -500 },
    { mode: 'fixed velocity', setting: 4, driven: 0, ticks: 40, speed: 1000 },
  ])('counts in the mode $mode', async ({ setting, driven, ticks, speed }) => {
    const { scanner, over } = await streaming();
    await scanner.write('EncSetting', setting);
    await scanner.control('/encoder', { speed: driven });
    const readings = await over(1000);
    expect(readings).toHaveLength(25);
    demandCounted(readings, serial);
    expect(steps(readings)).toEqual(Array(24).fill(ticks));
    expect(readings.map((one) => one.speed)).toEqual(Array(25).fill(speed));
  });

  it('counts ticks by its resolution, and follows a change of speed', async () => {
    const { scanner, over } = await streaming();
    await scanner.write('EncSetting', 2);
    await scanner.control('/encoder', { speed: 500 });
    await scanner.write('EncResolution', 0.25);
    expect(steps(await over(400))).toEqual(Array(9).fill(80));
    await scanner.control('/encoder', { speed: 50 });
    expect(steps(await over(400))).toEqual(Array(9).fill(8));
    await scanner.control('/encoder', { speed: 0 });
    const standing = await over(400);
    expect(steps(standing)).toEqual(Array(9).fill(0));
    // 400 ms at 500 mm/s and 400 ms at 50 mm/s, four ticks a millimetre.
    expect(standing[0]?.ticks).toBe(800 + 80);
  });

  it('can be reset to zero', async () => {
    const { scanner, over } = await streaming();
    await scanner.write('EncSetting', 4);
    expect((await over(1000)).at(-1)?.ticks).toBe(1000);
    await scanner.call('mResetEncoderIncrement');
    expect((await over(1000)).map(({ ticks }) => ticks)).toEqual(
      Array.from({ length: 25 }, (_, at) => 40 * (at + 1)),
    );
  });

  it('stores the position of a reference signal, if enabled', async () => {
    const { scanner, over } = await streaming();
    await scanner.write('EncSetting', 4);
    await scanner.write('ActualEncPosition2Enable', true);
    await scanner.write('ActualEncPosition1Enable', false);
    await over(1000);
    await scanner.control('/encoder/reference', { signal: 1 });
    await scanner.control('/encoder/reference', { signal: 2 });
    const [reading] = await over(40);
    expect(reading).toMatchObject({ ticks: 1040, references: [0, 1000], referenceTimes: [0, 1_000_000] });
  });

  it('has ticks and time of the same moment, even if the speed changes', async () => {
    const { scanner, over } = await streaming(new RunningClock());
    await scanner.write('EncSetting', 4);
    await scanner.write('ActualEncPosition1Enable', true);
    // A tick a microsecond: what lies between two moments shows.
    await scanner.write('EncResolution', 0.001);
    const [begin] = await over(60);
    const apart = (ticks = 0, time = 0) => (time - ticks + whole) % whole;
    const before = apart(begin?.ticks, begin?.time);
    for (let speed = 1; speed <= 20; speed += 1) await scanner.control('/encoder', { speed });
    await scanner.control('/encoder/reference', { signal: 1 });
    const readings = await over(1000);
    expect(readings.length).toBeGreaterThan(20);
    // Both are whole numbers.
    for (const { ticks, time, references, referenceTimes } of readings) {
      expect(Math.abs(apart(ticks, time) - before)).toBeLessThanOrEqual(1);
      expect(Math.abs(apart(references[0], referenceTimes[0]) - before)).toBeLessThanOrEqual(1);
    }
  });

  it('counts its telegrams on when it is switched off and on', async () => {
    const { scanner, over } = await streaming();
    await over(1000);
    await scanner.enable('encoder', false);
    expect(await over(1000)).toEqual([]);
    await scanner.enable('encoder', true);
    const readings = await over(1000);
    demandCounted(readings, serial, 26);
  });
});
