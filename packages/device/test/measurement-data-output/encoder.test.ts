import { measurementDataOutput } from '@azimuth/model';
import { LogBook } from '@azimuth/test-support/log-book';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { describe, expect, test } from 'vitest';
import type { EncoderReading } from '../../src/network-interface.js';

const { EncSetting, EncResolution, ActualEncPosition1Enable, ActualEncPosition2Enable } =
  measurementDataOutput.members;
const off = 0;
const increment = 1;
const phase = 2;
const level = 3;
const fixedVelocity = 4;

/** A scanner whose encoder is driven at a speed in mm/s. */
async function driven(speed: number) {
  const belt = { speed };
  const testDevice = await TestDevice.open({
    hardware: { log: new LogBook(), temperature: () => 20, encoder: { speed: () => belt.speed } },
  });
  const { device, clock } = testDevice;
  const set = (mode: number) => device.write(EncSetting, mode, atService);
  const resolution = (mm: number) => device.write(EncResolution, mm, atService);
  const drive = (mmPerSecond: number) => {
    belt.speed = mmPerSecond;
    device.features.encoder.changed();
  };
  return { testDevice, device, clock, encoder: device.features.encoder, set, resolution, drive };
}

describe('the encoder', () => {
  test('does not count while it is off', async () => {
    const { clock, encoder, set } = await driven(500);
    set(off);
    clock.advance(10_000);
    expect(encoder.reading).toMatchObject({ ticks: 0, speed: 0 });
  });

  test.each([
    ['increment', increment, 500, 1000, 500],
    // One signal has no direction.
    ['increment, backwards', increment, -500, 1000, 500],
    ['phase', phase, 500, 1000, 500],
    // 32 bits: 2^32 - 1000.
    ['phase, backwards', phase, -500, 4_294_966_296, -500],
    ['level', level, 500, 1000, 500],
    ['level, backwards', level, -500, 4_294_966_296, -500],
    // A tick a millisecond, regardless of the drive.
    ['fixed velocity', fixedVelocity, 500, 2000, 1000],
  ])('counts by %s', async (_, mode, speed, ticks, reported) => {
    const { clock, encoder, set } = await driven(speed);
    set(mode);
    clock.advance(2000);
    expect(encoder.reading).toMatchObject({ ticks, speed: reported, time: 2_000_000 });
  });

  test('counts a tick for as many mm as the resolution says, and goes on when that changes', async () => {
    const { clock, encoder, set, resolution } = await driven(600);
    set(phase);
    resolution(0.5);
    clock.advance(1000);
    expect(encoder.reading.ticks).toBe(1200);
    resolution(3);
    clock.advance(1000);
    expect(encoder.reading.ticks).toBe(1400);
    set(off);
    clock.advance(1000);
    expect(encoder.reading).toMatchObject({ ticks: 1400, speed: 0 });
  });

  test('follows the speed, back through zero', async () => {
    const { clock, encoder, set, drive } = await driven(100);
    set(phase);
    clock.advance(1000);
    drive(-300);
    clock.advance(500);
    expect(encoder.reading).toMatchObject({ ticks: 4_294_967_246, speed: -300 });
    drive(200);
    clock.advance(1000);
    expect(encoder.reading).toMatchObject({ ticks: 150, speed: 200 });
  });

  test('wraps after 32 bits', async () => {
    const { clock, encoder, set, resolution } = await driven(100_000);
    set(phase);
    resolution(0.001);
    // A hundred million ticks a second.
    clock.advance(43_000);
    expect(encoder.reading.ticks).toBe(4_300_000_000 - 2 ** 32);
  });

  test('is set back by mResetEncoderIncrement', async () => {
    const { testDevice, clock, encoder, set } = await driven(0);
    set(fixedVelocity);
    clock.advance(5000);
    expect(await testDevice.respond('mResetEncoderIncrement')).toEqual({ ErrorCode: 0 });
    expect(encoder.reading.ticks).toBe(0);
    clock.advance(30);
    expect(encoder.reading.ticks).toBe(30);
  });

  test('keeps the ticks of a reference signal where it is switched on', async () => {
    const { device, clock, encoder, set } = await driven(0);
    set(fixedVelocity);
    device.write(ActualEncPosition1Enable, true, atService);
    clock.advance(100);
    encoder.reference(1);
    encoder.reference(2);
    clock.advance(100);
    expect(encoder.reading).toMatchObject({ references: [100, 0], referenceTimes: [100_000, 0] });
    device.write(ActualEncPosition2Enable, true, atService);
    encoder.reference(2);
    expect(encoder.reading).toMatchObject({ references: [100, 200], referenceTimes: [100_000, 200_000] });
  });

  test('is read 25 times a second by each listener', async () => {
    const { clock, encoder, set } = await driven(0);
    set(fixedVelocity);
    const readings: EncoderReading[] = [];
    const stop = encoder.watch((reading) => readings.push(reading));
    clock.advance(120);
    stop();
    clock.advance(1000);
    expect(readings.map(({ frame, ticks, time }) => [frame, ticks, time])).toEqual([
      [1, 40, 40_000],
      [2, 80, 80_000],
      [3, 120, 120_000],
    ]);
  });

  test('counts from zero after a boot, in the way that is stored', async () => {
    const { testDevice, clock, encoder, set } = await driven(0);
    set(fixedVelocity);
    clock.advance(1000);
    await testDevice.respond('WriteEeprom');
    set(off);
    await testDevice.reboot();
    expect(encoder.reading).toMatchObject({ ticks: 0, time: 0 });
    clock.advance(70);
    expect(encoder.reading).toMatchObject({ ticks: 70, speed: 1000, time: 70_000 });
  });
});
