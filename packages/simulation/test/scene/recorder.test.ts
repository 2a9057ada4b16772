import { measurementDataOutput, type Variable } from '@azimuth/model';
import { type Point, readPcd } from '@azimuth/test-support/pcd';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { until } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';
import { parseScene, SceneCore, type SceneFile } from '../../src/world/index.js';

const output = measurementDataOutput.members;

/** Deviation in m of a distance, at the weakest echo (300) that there is. */
const noise = 0.006 * Math.sqrt(1 + 2000 / 300);

/** Records a scene with noise for 10 s, from 2 s after the start of the scanner. */
async function recorded(scene: SceneFile, settings: readonly (readonly [Variable<unknown>, unknown])[]) {
  const core = new SceneCore({ scene: parseScene(scene, 'test.json'), seed: 7 });
  const { device, clock, storage } = await TestDevice.open({ core });
  const { scanMerge } = device.features;
  for (const [variable, value] of [[output.ScanMergerEnabled, true] as const, ...settings]) {
    device.write(variable, value, atService);
  }
  clock.advance(2000);
  scanMerge.start();
  clock.advance(10_000);
  scanMerge.stop();
  clock.advance(1000);
  await until(() => !scanMerge.saving);
  return readPcd(storage.documents.get('cloud.pcd') ?? Buffer.of()).points;
}

/** A tick is 0.1 mm; it goes by 1 m/s. */
const encoder = [
  [output.ScanMergerSource, 1],
  [output.EncSetting, 4],
  [output.EncResolution, 0.1],
] as const;

function spread(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const worst = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { count: values.length, mean, worst };
}

describe('walls recorded from a vehicle with an encoder', () => {
  // 1 m/s along x: 2 m have been gone when the recording begins.
  const scene: SceneFile = {
    walls: [
      { from: [-50, 3], to: [50, 3] },
      { from: [22, -2], to: [22, 2.9] },
    ],
    scanner: {
      path: {
        waypoints: [
          { t: 0, x: 0, y: 0 },
          { t: 20, x: 20, y: 0 },
        ],
      },
    },
  };
  const along = [
    ...encoder,
    [output.EncoderTransformationType, 1] as const,
    [output.EncoderTranslation, { x: 0.1, y: 0, z: 0 }] as const,
  ];

  test('are planes within the noise, beside and ahead', async () => {
    const points = await recorded(scene, along);
    const beside = spread(points.filter(({ x }) => x < 19).map(({ y }) => y - 3));
    const ahead = spread(points.filter(({ y }) => y < 2.5).map(({ x }) => x - 20));
    for (const wall of [beside, ahead]) {
      expect(wall.count).toBeGreaterThan(5000);
      expect(Math.abs(wall.mean)).toBeLessThan(0.001);
      expect(wall.worst).toBeLessThan(6 * noise);
    }
  });

  test('are not planes if the encoder has the wrong direction', async () => {
    const wrong = along.map(([variable, value]) =>
      variable === output.EncoderTranslation
        ? ([variable, { x: 0.09, y: 0, z: 0 }] as const)
        : ([variable, value] as const),
    );
    const points = await recorded(scene, wrong);
    expect(spread(points.filter(({ y }) => y < 2.5).map(({ x }) => x - 20)).worst).toBeGreaterThan(0.5);
  });
});

describe('a room recorded by a scanner that turns', () => {
  const [back, front, right, left] = [-3, 5, -2, 3];
  // Half a turn in 20 s, from a heading of 0; 18° when the recording begins.
  const scene: SceneFile = {
    polygons: [
      {
        points: [
          [back, right],
          [front, right],
          [front, left],
          [back, left],
        ],
      },
    ],
    scanner: {
      path: {
        waypoints: [
          { t: 0, x: 0, y: 0, heading: 0 },
          { t: 20, x: 0, y: 0, heading: 180 },
        ],
      },
    },
  };

  /** A point of the recording in the room: it was begun at 18°. */
  function inRoom({ x, y }: Point): { x: number; y: number } {
    const [cosine, sine] = [Math.cos(Math.PI / 10), Math.sin(Math.PI / 10)];
    return { x: cosine * x - sine * y, y: sine * x + cosine * y };
  }

  test.each([
    ['the encoder', [...encoder, [output.EncoderRotation, { yaw: 0.0009, pitch: 0, roll: 0 }] as const]],
    ['the IMU', [[output.ScanMergerSource, 0] as const]],
  ])('has its walls and corners at the right places, by %s', async (_, settings) => {
    const points = (await recorded(scene, settings)).map(inRoom);
    const offWalls = points.map(({ x, y }) =>
      Math.min(...[x - back, x - front, y - right, y - left].map(Math.abs)),
    );
    expect(points.length).toBeGreaterThan(100_000);
    expect(spread(offWalls).worst).toBeLessThan(6 * noise);
    for (const [x, y] of [
      [back, right],
      [front, right],
      [front, left],
      [back, left],
    ] as const) {
      const near = points.reduce((least, p) => Math.min(least, Math.hypot(p.x - x, p.y - y)), 99);
      expect(near).toBeLessThan(0.02);
    }
  });
});
