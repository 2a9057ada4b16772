import { Scan } from '@azimuth/device';
import { SensitivityMode } from '@azimuth/model';
import { describe, expect, it } from 'vitest';
import { type SceneFile, SceneMeasurement, World } from '../../src/world/index.js';
import { truthOf } from '../../src/world/truth.js';
import { geometryOfProfile, quarterDegree, sceneOf } from '../scene/measured-scene.js';

const geometry = geometryOfProfile(quarterDegree);

/** s from the begin of a scan to its beam straight ahead. */
const aheadAfter = 138 / 360 / geometry.frequency;

/** What the beams of a scanner meet, in a scan whose beam straight ahead is measured at a time (s). */
function seen(file: SceneFile, scanner: string, aheadAt = 0) {
  const time = aheadAt - aheadAfter;
  const world = new World({ scene: sceneOf(file) });
  const moment = { number: 1, time: 0, worldTime: time, geometry };
  const beams = truthOf(world.viewpointOf(scanner), moment);
  const scan = new Scan(geometry);
  const order = { geometry, sensitivity: SensitivityMode.STANDARD, longRange: false };
  new SceneMeasurement(world.scene, 1, order, world.viewpointOf(scanner)).measure(scan, time);
  return {
    beams,
    at: (angle: number) => {
      const beam = Math.round((angle - geometry.firstAngle) / geometry.step);
      const { surface } = beams[beam] ?? {};
      return { ...surface, measured: scan.distance[3 * beam] ?? 0 };
    },
  };
}

const eastwards = (from: number) => ({
  waypoints: [
    { t: 0, x: from, y: 0 },
    { t: 10, x: from + 10, y: 0 },
  ],
});

describe('a scanner of a world', () => {
  const pair: SceneFile = { scanners: [{ name: 'a' }, { name: 'b', x: 2, heading: 90 }] };

  it('sees the housing of another one, and never its own', () => {
    const { at, beams } = seen(pair, 'a');
    expect(at(0)).toEqual({
      distance: expect.closeTo(1970, 6),
      object: 'scanners[1].housing',
      actor: undefined,
      material: 'black',
      measured: expect.closeTo(1970, 3),
    });
    const objects = new Set(beams.map(({ surface }) => surface?.object));
    expect(objects).toEqual(new Set([undefined, 'scanners[1].housing']));
  });

  it('sees a housing of another size, and none that is false', () => {
    const { scanners: [a, b] = [] } = pair;
    if (a === undefined || b === undefined) throw new TypeError('a pair');
    const large = { ...b, housing: { size: [0.1, 0.4], material: 'white' } } satisfies typeof b;
    expect(seen({ scanners: [a, large] }, 'a').at(0)).toMatchObject({
      distance: expect.closeTo(1800, 6),
      material: 'white',
    });
    expect(seen({ scanners: [a, { ...b, housing: false }] }, 'a').at(0)).toEqual({ measured: 0 });
  });

  const rear = { name: 'rear', x: -1.1, heading: 180 };
  const agv = {
    name: 'agv',
    boxes: [{ center: [-0.5, 0], size: [1, 0.6] }],
    path: eastwards(0),
    scanners: [{ name: 'front', x: 0.1 }, rear],
  } satisfies NonNullable<SceneFile['vehicles']>[number];

  it.each([0, 3.7, 20])('sees the body of its vehicle and the scanners on it at rest, at %f s', (time) => {
    const file: SceneFile = { vehicles: [{ ...agv, boxes: [] }] };
    expect(seen(file, 'front', time).at(-138)).toEqual({ measured: 0 });
    const behind: SceneFile = {
      vehicles: [{ ...agv, scanners: [{ name: 'front', x: 0.1, heading: 180 }, rear] }],
    };
    const { at } = seen(behind, 'front', time);
    expect(at(0)).toMatchObject({
      distance: expect.closeTo(100, 6),
      object: 'vehicles[0].boxes[0]',
      actor: 'agv',
    });
    const without: SceneFile = { vehicles: [{ ...behind.vehicles?.[0], name: 'agv', boxes: [] }] };
    expect(seen(without, 'front', time).at(0)).toMatchObject({
      distance: expect.closeTo(1170, 6),
      object: 'vehicles[0].scanners[1].housing',
      actor: 'agv',
    });
  });

  it('sees the world pass by its vehicle, and its vehicle in front of it', () => {
    const file: SceneFile = {
      walls: [{ from: [20, -50], to: [20, 50] }],
      vehicles: [agv],
    };
    expect(seen(file, 'front', 4).at(0)).toMatchObject({
      distance: expect.closeTo(15_900, 6),
      object: 'walls[0]',
    });
    expect(seen(file, 'front', 4).at(0).measured).toBeCloseTo(15_900, 2);
  });

  it('sees other vehicles move, with their scanners', () => {
    const file: SceneFile = {
      scanners: [{ name: 'post', x: -10 }],
      vehicles: [agv, { name: 'cart', circles: [{ center: [0, 0], radius: 0.5 }], path: eastwards(30) }],
    };
    expect(seen(file, 'post', 0).at(0)).toMatchObject({
      distance: expect.closeTo(8870, 6),
      object: 'vehicles[0].scanners[1].housing',
      actor: 'agv',
    });
    expect(seen(file, 'post', 2).at(0).measured).toBeCloseTo(10_870, 2);
    expect(seen(file, 'front', 2).at(0)).toMatchObject({
      distance: expect.closeTo(29_400, 6),
      object: 'vehicles[1].circles[0]',
      actor: 'cart',
    });
  });

  it('sees glass and fog of its own vehicle', () => {
    const file: SceneFile = {
      walls: [{ from: [20, -50], to: [20, 50] }],
      vehicles: [
        {
          ...agv,
          walls: [{ from: [0.5, -1], to: [0.5, 1], material: 'glass' }],
          fog: [{ center: [2, 0], radius: 0.5 }],
        },
      ],
    };
    const ahead = seen(file, 'front', 1).beams[552];
    expect(ahead).toMatchObject({ fog: true, surface: { object: 'walls[0]' } });
    expect(ahead?.glass).toMatchObject([
      { distance: expect.closeTo(400, 6), object: 'vehicles[0].walls[0]' },
    ]);
  });
});
