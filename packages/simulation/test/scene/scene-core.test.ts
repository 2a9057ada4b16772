import type { MeasuringOrder } from '@azimuth/device';
import { VirtualClock } from '@azimuth/device';
import { SensitivityMode } from '@azimuth/model';
import { describe, expect, it } from 'vitest';
import { readyScene, readyScenes, SceneCore } from '../../src/world/index.js';
import { geometryOfProfile, type Profile, sceneOf } from './measured-scene.js';

function orderOf(clock: VirtualClock, profile: Profile = 8): MeasuringOrder {
  return {
    geometry: geometryOfProfile(profile),
    sensitivity: SensitivityMode.STANDARD,
    longRange: false,
    origin: { number: 7, time: 0 },
    bootedAt: 0,
    now: () => clock.monotonic() * 1000,
    clock,
  };
}

interface MeasuredScan {
  readonly number: number;
  readonly time: number;
  /** m, straight ahead. */
  readonly ahead: number;
  readonly bytes: string;
}

/** The scans of so many ms. */
function scansOf(
  core: SceneCore,
  clock: VirtualClock,
  milliseconds: number,
  profile: Profile = 8,
): MeasuredScan[] {
  const scans: MeasuredScan[] = [];
  core.start(orderOf(clock, profile), ({ number, time, distance, rssi, geometry }) => {
    const ahead = (distance[3 * Math.round(138 / geometry.step)] ?? 0) / 1000;
    const bytes = Buffer.concat([Buffer.from(distance.slice().buffer), Buffer.from(rssi.slice().buffer)]);
    scans.push({ number, time, ahead, bytes: bytes.toString('base64') });
  });
  clock.advance(milliseconds);
  core.stop();
  return scans;
}

const wallAt = (x: number) => sceneOf({ walls: [{ from: [x, -5], to: [x, 5] }] });

describe('a scene core', () => {
  it('measures every scan at its time', () => {
    const scans = scansOf(new SceneCore({ scene: wallAt(4), seed: 1 }), new VirtualClock(), 60);
    expect(scans.map(({ number, time }) => [number, time])).toEqual([
      [7, 0],
      [8, 20_000],
      [9, 40_000],
      [10, 60_000],
    ]);
    expect(scans.map(({ ahead }) => ahead)).toEqual([4, 4, 4, 4]);
  });

  it('gives no scan after it is stopped, and continues to count when it is started again', () => {
    const clock = new VirtualClock();
    const core = new SceneCore({ scene: wallAt(4), seed: 1 });
    const first = scansOf(core, clock, 30);
    const seen = first.length;
    clock.advance(100);
    expect(first).toHaveLength(seen);
    expect(scansOf(core, clock, 30).map(({ number }) => number)).toEqual([14, 15]);
  });

  it('measures beside another core as it does alone', () => {
    const far = new SceneCore({ scene: wallAt(6), seed: 2 });
    const alone = scansOf(new SceneCore({ scene: wallAt(4), seed: 1 }), new VirtualClock(), 60);
    const clock = new VirtualClock();
    const farAhead: number[] = [];
    far.start(orderOf(clock), ({ distance }) => farAhead.push(distance[3 * 552] ?? 0));
    expect(scansOf(new SceneCore({ scene: wallAt(4), seed: 1 }), clock, 60)).toEqual(alone);
    expect(farAhead).toEqual([6000, 6000, 6000, 6000]);
  });

  it('can be stopped by the receiver of a scan', () => {
    const clock = new VirtualClock();
    const core = new SceneCore({ scene: wallAt(4), seed: 1 });
    let scans = 0;
    core.start(orderOf(clock), () => {
      scans++;
      core.stop();
    });
    clock.advance(200);
    expect(scans).toBe(1);
  });

  it('takes another scene from the next scan on, also while it measures', () => {
    const clock = new VirtualClock();
    const core = new SceneCore({ scene: wallAt(4), seed: 1 });
    const ahead: number[] = [];
    core.start(orderOf(clock), ({ distance }) => ahead.push(distance[3 * 552] ?? 0));
    clock.advance(30);
    const other = wallAt(6);
    core.replace(other);
    expect(core.scene).toBe(other);
    clock.advance(20);
    core.stop();
    expect(ahead).toEqual([4000, 4000, 6000]);
  });

  it('moves its actors by the time of the world', () => {
    const clock = new VirtualClock();
    clock.advance(3000);
    const path = {
      waypoints: [
        { t: 0, x: 5, y: 0 },
        { t: 10, x: 15, y: 0 },
      ],
    };
    const scene = sceneOf({ actors: [{ boxes: [{ center: [0, 0], size: [2, 2] }], path }] });
    const scans = scansOf(new SceneCore({ scene, seed: 1 }), clock, 20);
    expect(scans.map(({ ahead }) => ahead)).toEqual(
      [7, 7.02].map((x) => expect.closeTo(x + 138 / 360 / 50, 5)),
    );
  });

  it('gives the same scans from the same seed, and others from another', () => {
    const scans = (seed: number) =>
      scansOf(new SceneCore({ scene: readyScene('conveyor'), seed }), new VirtualClock(), 100).map(
        ({ bytes }) => bytes,
      );
    expect(scans(3)).toEqual(scans(3));
    expect(scans(3)).not.toEqual(scans(4));
  });

  it.each(([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] satisfies Profile[]).map((profile) => ({ profile })))(
    'measures with performance profile $profile',
    ({ profile }) => {
      const { frequency } = geometryOfProfile(profile);
      const scans = scansOf(new SceneCore({ scene: wallAt(4), seed: 1 }), new VirtualClock(), 999, profile);
      expect(scans).toHaveLength(frequency);
      expect(scans.every(({ ahead }) => ahead === 4)).toBe(true);
    },
  );
});

describe('the ready scenes', () => {
  /** Returns the beams with an echo, at these seconds, without noise. */
  function echoesOf(name: string, seconds: readonly number[]): { echoes: number; bytes: string }[] {
    const scene = { ...readyScene(name), noise: sceneOf({}).noise };
    return seconds.map((second) => {
      const clock = new VirtualClock();
      clock.advance(second * 1000);
      const [scan] = scansOf(new SceneCore({ scene, seed: 1 }), clock, 19);
      const distances = new Float32Array(
        Uint8Array.from(Buffer.from(scan?.bytes ?? '', 'base64')).buffer,
        0,
        3315,
      );
      let echoes = 0;
      for (let place = 0; place < 3315; place += 3) if ((distances[place] ?? 0) > 0) echoes++;
      return { echoes, bytes: scan?.bytes ?? '' };
    });
  }

  it.each(readyScenes)('%s gives echoes, and other ones when something has moved', (name) => {
    const scans = echoesOf(name, [0, 1, 2, 5, 9, 15.5]);
    for (const { echoes } of scans) expect(echoes).toBeGreaterThan(300);
    const different = new Set(scans.map(({ bytes }) => bytes)).size;
    expect(different).toBe(name === 'empty-room' ? 1 : 6);
  });
});
