import { type MeasuringOrder, VirtualClock } from '@azimuth/device';
import { SensitivityMode } from '@azimuth/model';
import { describe, expect, it } from 'vitest';
import { SceneCore, World } from '../../src/world/index.js';
import { geometryOfProfile, quarterDegree, sceneOf } from '../scene/measured-scene.js';

/** A block that drives away from the scanner at 1 m/s: its near side is 4 m ahead at world time 0. */
const receding = sceneOf({
  actors: [
    {
      boxes: [{ center: [0, 0], size: [2, 2] }],
      path: {
        waypoints: [
          { t: 0, x: 5, y: 0 },
          { t: 20, x: 25, y: 0 },
        ],
      },
    },
  ],
});

/** ms from the begin of a scan to its beam straight ahead. The block goes as many mm in this time: 7.67. */
const aheadAfter = (20 * 138) / 360;

/** Orders of a scanner that came up just now. */
function bootedNow(clock: VirtualClock): MeasuringOrder {
  const bootedAt = clock.monotonic();
  return {
    geometry: geometryOfProfile(quarterDegree),
    sensitivity: SensitivityMode.STANDARD,
    longRange: false,
    origin: { number: 1, time: 0 },
    now: () => (clock.monotonic() - bootedAt) * 1000,
    bootedAt,
    clock,
  };
}

/** Measures for these ms after a boot. Returns what is straight ahead in mm, by scan. */
function aheadAfterBoot(core: SceneCore, clock: VirtualClock, milliseconds: number): number[] {
  const ahead: number[] = [];
  core.start(bootedNow(clock), ({ distance }) => ahead.push(Math.round(distance[3 * 552] ?? 0)));
  clock.advance(milliseconds);
  core.stop();
  return ahead;
}

describe('the time of a world', () => {
  it('goes on while the scanner is off, and is not set back by a boot', () => {
    const clock = new VirtualClock();
    const core = new SceneCore({ scene: receding, clock, seed: 1 });
    expect(aheadAfterBoot(core, clock, 20)).toEqual([4008, 4028]);
    clock.advance(2980);
    expect(aheadAfterBoot(core, clock, 20)).toEqual([7008, 7028]);
  });

  it('begins when the world is made, not when a scanner boots', () => {
    const clock = new VirtualClock();
    clock.advance(500);
    const core = new SceneCore({ scene: receding, clock, seed: 1 });
    clock.advance(1500);
    expect(aheadAfterBoot(core, clock, 0)).toEqual([5508]);
    expect(core.world.now).toBe(1.5);
  });

  it('begins with the first boot if the world has no clock', () => {
    const clock = new VirtualClock();
    clock.advance(500);
    const core = new SceneCore({ scene: receding, seed: 1 });
    expect(core.world.now).toBe(0);
    expect(aheadAfterBoot(core, clock, 0)).toEqual([4008]);
    clock.advance(1000);
    expect(aheadAfterBoot(core, clock, 0)).toEqual([5008]);
  });

  it('is that of the motion, also if the scanner has measured nothing since its boot', () => {
    const path = {
      waypoints: [
        { t: 0, x: 0, y: 0 },
        { t: 2, x: 0, y: 0 },
        { t: 4, x: 4, y: 0 },
      ],
    };
    const core = new SceneCore({ scene: sceneOf({ scanner: { path } }), clock: new VirtualClock(), seed: 1 });
    expect(core.motion(500_000, 0).acceleration[0]).toBe(0);
    expect(core.motion(500_000, 1500).acceleration[0]).toBeGreaterThan(1);
  });

  it('is told with the truth of a scan, which a boot does not take away', () => {
    const clock = new VirtualClock();
    const core = new SceneCore({ scene: receding, clock, seed: 1 });
    aheadAfterBoot(core, clock, 60);
    clock.advance(2940);
    aheadAfterBoot(core, clock, 20);
    const truthOf = (scan: number) => core.truth(({ number }) => number === scan);
    expect(truthOf(2)).toMatchObject({ time: 20_000, worldTime: 3.02 });
    expect(truthOf(4)).toMatchObject({ time: 60_000, worldTime: 0.06 });
    expect(truthOf(4)?.beams[552]?.surface?.distance).toBeCloseTo(4060 + aheadAfter, 6);
  });
});

describe('a world of several scanners', () => {
  const scene = sceneOf({
    walls: [{ from: [10, -5], to: [10, 5] }],
    scanners: [{ name: 'left' }, { name: 'right', x: 3 }],
  });

  it('is measured by each from its own place', () => {
    const clock = new VirtualClock();
    const world = new World({ scene, clock });
    const [left, right] = ['left', 'right'].map((scanner) => new SceneCore({ world, scanner, seed: 1 }));
    if (left === undefined || right === undefined) throw new TypeError('two scanners');
    expect(aheadAfterBoot(right, clock, 0)).toEqual([7000]);
    expect(right.places()).toMatchObject({
      scanner: { x: 3 },
      scanners: [{ name: 'left' }, { name: 'right' }],
    });
    const nearer = sceneOf({ ...scene, walls: [{ from: [8, -5], to: [8, 5] }] });
    left.replace(nearer);
    expect(right.scene).toBe(nearer);
    expect(aheadAfterBoot(right, clock, 0)).toEqual([5000]);
  });

  it('refuses a scanner that it lacks, and a scene without one of those that measure', () => {
    const world = new World({ scene });
    expect(() => new SceneCore({ world, scanner: 'lefd', seed: 1 })).toThrow(
      'expected a scene with the scanner lefd, got one with left, right',
    );
    const core = new SceneCore({ world, scanner: 'left', seed: 1 });
    expect(() => core.replace(sceneOf({}))).toThrow(
      'expected a scene with the scanner left, got a scene without scanners that have names',
    );
    expect(world.scene).toBe(scene);
  });
});
