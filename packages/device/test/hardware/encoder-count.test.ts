import { EncoderMode, measurementDataOutput } from '@azimuth/model';
import { LogBook } from '@azimuth/test-support/log-book';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';

const { EncSetting, EncResolution, ActualEncPosition1Enable } = measurementDataOutput.members;

type Mode = (typeof EncoderMode)[keyof typeof EncoderMode];

/** A scanner whose hardware counts the ticks, 2 mm each. */
async function counted(mode: Mode = EncoderMode.TX_DIR_LEVEL12, first = 0) {
  const drive = { count: first };
  const hardware = {
    log: new LogBook(),
    onChange: () => undefined,
    encoder: { count: () => drive.count },
  };
  const { device, clock } = await TestDevice.open({ hardware });
  device.write(EncResolution, 2, atService);
  device.write(EncSetting, mode, atService);
  const { encoder } = device.features;
  /** Lets the drive turn evenly for some ms. */
  const turn = (ticks: number, milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 10) {
      drive.count += (ticks * 10) / milliseconds;
      clock.advance(10);
    }
  };
  return { drive, device, clock, encoder, turn, hardware };
}

test('the ticks are those of the hardware, from the boot on, and the speed follows them', async () => {
  const { encoder, turn } = await counted(EncoderMode.TX_DIR_LEVEL12, 1_000_000);
  expect(encoder.reading).toMatchObject({ ticks: 0, speed: 0 });
  const readings: { ticks: number; speed: number }[] = [];
  encoder.watch(({ ticks, speed }) => readings.push({ ticks, speed }));
  turn(1000, 1000);
  expect(readings).toHaveLength(25);
  expect(encoder.reading.ticks).toBe(1000);
  // 1000 ticks of 2 mm in a second. Readings see whole steps of the drive.
  expect(readings.at(-1)?.speed).toBeCloseTo(2000, -2);
  turn(-500, 1000);
  expect(encoder.reading.ticks).toBe(500);
  expect(readings.at(-1)?.speed).toBeCloseTo(-1000, -2);
});

test('the speed is 0 when the drive stands still, also without anybody who watches', async () => {
  const { encoder, turn, clock } = await counted();
  turn(100, 1000);
  expect(encoder.reading.speed).toBeCloseTo(200, -1);
  clock.advance(1000);
  expect(encoder.reading).toMatchObject({ ticks: 100, speed: 0 });
});

test.each([
  ['up', 2 ** 32 - 10, 20, 20],
  ['down', 5, -20, 2 ** 32 - 20],
] as const)('a counter of 32 bits may wrap: %s', async (_, first, step, ticks) => {
  const { drive, encoder } = await counted(EncoderMode.TX_DIR_LEVEL12, first);
  expect(encoder.reading.ticks).toBe(0);
  drive.count = (((first + step) % 2 ** 32) + 2 ** 32) % 2 ** 32;
  expect(encoder.reading.ticks).toBe(ticks);
});

test('a counting mode without a direction counts backward ticks, too', async () => {
  const { encoder, turn } = await counted(EncoderMode.TX_INCREMENT1);
  encoder.changed();
  turn(100, 100);
  encoder.changed();
  turn(-100, 100);
  expect(encoder.reading.ticks).toBe(200);
});

test.each([
  ['TX_OFF', EncoderMode.TX_OFF, 0],
  ['TX_FIX_VELOCITY', EncoderMode.TX_FIX_VELOCITY, 500],
] as const)('%s does not count the ticks of the hardware', async (_, mode, ticks) => {
  const { encoder, turn, device } = await counted(mode);
  turn(100, 1000);
  expect(encoder.reading.ticks).toBe(ticks);
  // From the next mode on, only new ticks count.
  device.write(EncSetting, EncoderMode.TX_DIR_LEVEL12, atService);
  turn(7, 70);
  expect(encoder.reading.ticks).toBe(ticks + 7);
});

test('ticks are reset, and kept at a reference signal', async () => {
  const { encoder, turn, device } = await counted();
  device.write(ActualEncPosition1Enable, true, atService);
  turn(100, 100);
  encoder.reset();
  turn(30, 100);
  encoder.reference(1);
  turn(30, 100);
  expect(encoder.reading).toMatchObject({ ticks: 60, references: [30, 0] });
});

test('a counter that fails stands still, and continues without a loss', async () => {
  const { encoder, turn, hardware, drive } = await counted();
  turn(100, 100);
  expect(encoder.reading.ticks).toBe(100);
  hardware.encoder.count = () => Number.NaN;
  expect(encoder.reading.ticks).toBe(100);
  hardware.encoder.count = () => drive.count;
  drive.count += 11;
  expect(encoder.reading.ticks).toBe(111);
});
