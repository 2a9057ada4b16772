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

describe('the encoder', () => {
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
