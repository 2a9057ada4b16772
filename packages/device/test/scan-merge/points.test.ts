import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { output, placesOf, Recorder, SensorPosition, source } from './recorder.js';

const elsewhere = { x: 500, y: 600, z: 100, yaw: 900_000, pitch: 100_000, roll: 0 };

/** The first beam of each scan has the echo: the places of 19 scans, 0 to 900 ms after the start. */
async function recorded(recorder: Recorder) {
  recorder.core.firstAngle = Number(Object.keys(recorder.core.echoes)[0]);
  await recorder.record(940);
  const places = placesOf(await recorder.points());
  expect(places).toHaveLength(19);
  return places;
}

describe('moved along a line by the encoder', () => {
  test('each beam is put where the scanner was at its time', async () => {
    const recorder = await Recorder.open();
    recorder.count(1000);
    recorder.translateBy(2, -1, 0.5);
    await recorder.record(45);
    // Straight ahead is 138° of 360° after the first beam, in a scan of 50 ms.
    const millimetres = (1000 * 0.05 * 138) / 360;
    const [x = 0, y = 0, z = 0] = placesOf(await recorder.points())[0] ?? [];
    expect(x).toBeCloseTo(2 + 0.002 * millimetres, 4);
    expect(y).toBeCloseTo(-0.001 * millimetres, 4);
    expect(z).toBeCloseTo(0.0005 * millimetres, 4);
  });

  test('each scan is put where the scanner was', async () => {
    const recorder = await Recorder.open();
    recorder.count(1000);
    recorder.translateBy(2, -1, 0.5);
    // 50 mm of the encoder a turn.
    expect(await recorded(recorder)).toEqual(
      Array.from({ length: 19 }, (_, scan) => [
        Math.round((2 + 0.1 * scan) * 10_000) / 10_000,
        Math.round(-0.05 * scan * 10_000) / 10_000 + 0,
        Math.round(0.025 * scan * 10_000) / 10_000,
      ]),
    );
  });

  test('backwards, through the wrap of the counter', async () => {
    const recorder = await Recorder.open();
    // The counter goes down from 0 by 10 mm a turn.
    recorder.count(-200);
    recorder.translateBy(0, 0, 1);
    const places = await recorded(recorder);
    expect(places[1]).toEqual([2, 0, -0.01]);
    expect(places[18]).toEqual([2, 0, -0.18]);
  });

  test('forwards, through the wrap of the counter', async () => {
    const recorder = await Recorder.open();
    recorder.count(100_000);
    // A hundred million ticks a second: 2^32 is reached after 42.95 s.
    recorder.testDevice.clock.advance(42_500);
    recorder.translateBy(0.01, 0, 0);
    const places = await recorded(recorder);
    expect(recorder.testDevice.device.features.encoder.reading.ticks).toBeLessThan(1_000_000_000);
    expect(places[18]).toEqual([2.9, 0, 0]);
  });

  test('does not move while the encoder is off', async () => {
    const recorder = await Recorder.open();
    recorder.translateBy(2, 2, 2);
    expect(new Set((await recorded(recorder)).map(String))).toEqual(new Set(['2,0,0']));
  });

  test('a change of speed counts from the scan at which it comes', async () => {
    const recorder = await Recorder.open();
    const { clock } = recorder.testDevice;
    recorder.count(1000);
    recorder.translateBy(0, 1, 0);
    recorder.core.firstAngle = 0;
    recorder.scanMerge.start();
    clock.advance(500);
    recorder.drive(0);
    clock.advance(440);
    recorder.scanMerge.stop();
    await recorder.saved();
    const y = placesOf(await recorder.points()).map((place) => place[1]);
    expect(y.slice(0, 4)).toEqual([0, 0.05, 0.1, 0.15]);
    expect(y.slice(11)).toEqual(Array(8).fill(0.5));
  });
});

describe('turned by the encoder', () => {
  async function turning(yaw: number, pitch: number, roll: number, angle: number) {
    const recorder = await Recorder.open();
    recorder.core.echoes = { [angle]: [2000] };
    recorder.count(1000);
    recorder.rotateBy(yaw, pitch, roll);
    return recorder;
  }

  // Turned by 90° after 900 mm of 0.1°.
  test.each([
    ['yaw turns ahead to the left', [0.1, 0, 0], 0, [0, 2, 0]],
    ['pitch turns ahead down', [0, 0.1, 0], 0, [0, 0, -2]],
    ['roll turns the left side up', [0, 0, 0.1], 90, [0, 0, 2]],
    ['backwards, ahead turns up', [0, -0.1, 0], 0, [0, 0, 2]],
    // Pitch comes first, and leaves the left side unchanged.
    ['pitch, then yaw', [0.1, 0.1, 0], 90, [-2, 0, 0]],
    // Roll turns left up, pitch turns up ahead.
    ['roll, then pitch', [0, 0.1, 0.1], 90, [2, 0, 0]],
  ] as const)('%s', async (_, [yaw, pitch, roll], angle, expected) => {
    const places = await recorded(await turning(yaw, pitch, roll, angle));
    expect(places[18]).toEqual(expected);
  });

  test('by 30° after 300 mm', async () => {
    const places = await recorded(await turning(0, 0.1, 0, 0));
    // 2 cos 30° and -2 sin 30°.
    expect(places[6]).toEqual([1.7321, 0, -1]);
  });

  test('about the point of RotationOffset', async () => {
    const recorder = await turning(0, 0.1, 0, 0);
    recorder.set(output.RotationOffset, { x: 0, y: 0, z: 500 });
    // The echo is at 2, 0, -0.5 from the point; turned down by 90°, at -0.5, 0, -2.
    expect((await recorded(recorder))[18]).toEqual([-0.5, 0, -1.5]);
  });

  test('wherever the scanner is on its machine', async () => {
    const recorder = await turning(0, 0.1, 0, 0);
    recorder.set(SensorPosition, elsewhere);
    const places = await recorded(recorder);
    expect([places[0], places[18]]).toEqual([
      [2, 0, 0],
      [0, 0, -2],
    ]);
  });
});

describe('turned, as the IMU measures', () => {
  const half = Math.PI / 360;

  /** Looks 60° to the left at first, and rolls by 100° a second from there. */
  function rolling(time: number): [number, number, number, number] {
    const [yaw, roll] = [60 * half, 100 * half * (time - 1)];
    return [
      Math.cos(yaw) * Math.cos(roll),
      Math.cos(yaw) * Math.sin(roll),
      Math.sin(yaw) * Math.sin(roll),
      Math.sin(yaw) * Math.cos(roll),
    ];
  }

  async function rollingRecorder(angle: number) {
    const recorder = await Recorder.open();
    recorder.core.echoes = { [angle]: [2000] };
    recorder.core.orientation = rolling;
    recorder.set(output.ScanMergerSource, source.imu);
    return recorder;
  }

  test('each scan is turned against the first orientation', async () => {
    const places = await recorded(await rollingRecorder(90));
    expect(places[0]).toEqual([0, 2, 0]);
    // 30° after 300 ms, 90° after 900 ms.
    expect(places[6]).toEqual([0, 1.7321, 1]);
    expect(places[18]).toEqual([0, 0, 2]);
  });

  test('an orientation and its opposite are the same', async () => {
    const recorder = await rollingRecorder(90);
    recorder.core.orientation = (time) => {
      const [w, x, y, z] = rolling(time);
      return Math.round(time * 20) % 2 === 0 ? [w, x, y, z] : [-w, -x, -y, -z];
    };
    expect((await recorded(recorder))[6]).toEqual([0, 1.7321, 1]);
  });

  test('in the axes of the scanner, about the point of RotationOffset', async () => {
    const recorder = await rollingRecorder(90);
    recorder.set(SensorPosition, elsewhere);
    recorder.set(output.RotationOffset, { x: 0, y: -1000, z: 0 });
    const places = await recorded(recorder);
    expect(places[0]).toEqual([0, 2, 0]);
    // A point 3 m to the left of the point goes up.
    expect(places[18]).toEqual([0, -1, 3]);
  });

  test('a core that is made when it is needed measures where it begins', async () => {
    const recorder = await Recorder.open({ late: true });
    const { device, clock } = recorder.testDevice;
    recorder.core.echoes = { 90: [2000] };
    recorder.core.firstAngle = 90;
    recorder.core.orientation = rolling;
    recorder.scanMerge.start();
    expect(device.features.measuring.core).toBeUndefined();
    await until(() => device.features.measuring.core !== undefined);
    clock.advance(940);
    recorder.scanMerge.stop();
    await recorder.saved();
    const places = placesOf(await recorder.points());
    // The first scan tells the orientation at its end, 38.33 ms after its beginning: the second one has turned by
    // 11.67 ms of 100°/s, that is 1.167°.
    expect(places).toHaveLength(18);
    expect(places[0]).toEqual([0, 1.9996, 0.0407]);
  });
});

test('every echo becomes a point with its strength', async () => {
  const recorder = await Recorder.open();
  recorder.core.echoes = { 0: [1000, 2000, 3000], 90: [500] };
  recorder.core.strength = 770;
  await recorder.record(45);
  const points = await recorder.points();
  expect(placesOf(points)).toEqual([
    [1, 0, 0],
    [2, 0, 0],
    [3, 0, 0],
    [0, 0.5, 0],
  ]);
  expect(points.map(({ intensity }) => intensity)).toEqual([771, 771, 771, 771]);
});

test('a scan that began before the recording, or ends after it, is left out', async () => {
  const recorder = await Recorder.open();
  const { device, clock } = recorder.testDevice;
  // Another listener, so that the turn is running.
  device.features.measuring.watch({ scan: () => undefined });
  clock.advance(60);
  recorder.scanMerge.start();
  // Turns begin at 100 ms and at 150 ms. Their scans come 38 ms later.
  clock.advance(100);
  recorder.scanMerge.stop();
  await recorder.saved();
  expect(await recorder.points()).toHaveLength(1);
});
