import { Scan } from '@azimuth/device';
import { SensitivityMode } from '@azimuth/model';
import { describe, expect, it } from 'vitest';
import { gaussianAt } from '../../src/random-numbers.js';
import { type SceneFile, SceneMeasurement } from '../../src/world/index.js';
import { type Conditions, MeasuredScene, sceneOf } from './measured-scene.js';

/** White all around, 5 m away: RSSI 65535 * 0.9 / 1.25 = 47185. */
const drum: SceneFile = { circles: [{ center: [0, 0], radius: 5, material: 'white' }], noise: {} };

function deviations(values: readonly number[]): { mean: number; deviation: number; widest: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const widest = Math.max(...values.map((value) => Math.abs(value - mean)));
  return { mean, deviation: Math.sqrt(squares / values.length), widest };
}

/** First echoes of some scans. */
function firstEchoes(file: SceneFile, conditions: Conditions = {}): { distance: number[]; rssi: number[] } {
  const measured = new MeasuredScene(file, conditions);
  const distance: number[] = [];
  const rssi: number[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const { scan } = measured.turn(turn);
    for (let place = 0; place < scan.distance.length; place += 3) {
      if (scan.distance[place] === 0) continue;
      distance.push(scan.distance[place] ?? 0);
      rssi.push(scan.rssi[place] ?? 0);
    }
  }
  return { distance, rssi };
}

/** A scan of the drum with this many beams: distances in mm of the first echoes. */
function distancesOf(beams: number): Float32Array {
  const geometry = { frequency: 10, firstAngle: -138, step: 0.02, beams, beamsPerSegment: 500 };
  const order = { geometry, sensitivity: SensitivityMode.STANDARD, longRange: false };
  const scan = new Scan(geometry);
  new SceneMeasurement(sceneOf(drum), 1, order).measure(scan);
  return scan.distance.filter((_, place) => place % 3 === 0);
}

describe('noise', () => {
  it('of the distance has the deviation of the scene', () => {
    // 6 mm * sqrt(1 + 2000 / 47185)
    const { mean, deviation, widest } = deviations(firstEchoes(drum).distance);
    expect(mean).toBeGreaterThan(4999.7);
    expect(mean).toBeLessThan(5000.3);
    expect(deviation).toBeGreaterThan(6.126 * 0.97);
    expect(deviation).toBeLessThan(6.126 * 1.03);
    expect(widest).toBeLessThan(5 * 6.126);
    const { deviation: wider } = deviations(firstEchoes({ ...drum, noise: { sigma: 0.02 } }).distance);
    expect(wider / deviation).toBeCloseTo(20 / 6, 5);
  });

  it('is that of the beam, however many beams follow, and does not repeat', () => {
    const many = distancesOf(10_000);
    expect(many.subarray(0, 1000)).toEqual(distancesOf(1000));
    expect(many.every((distance) => distance > 4900 && distance < 5100)).toBe(true);
    // Distances are kept to half a µm, so some of them are equal.
    expect(new Set(many).size).toBeGreaterThan(8000);
  });

  it('of the distance grows for weak echoes', () => {
    // RSSI 65535 * 0.02 / 1.25 = 1048.6: 6 mm * sqrt(1 + 2000 / 1048.6) = 10.23 mm
    const materials = { soot: { remission: 0.02 } };
    const circles = [{ center: [0, 0], radius: 5, material: 'soot' }] as const;
    const { deviation } = deviations(firstEchoes({ ...drum, materials, circles }).distance);
    expect(deviation).toBeGreaterThan(10.23 * 0.97);
    expect(deviation).toBeLessThan(10.23 * 1.03);
  });

  it('of the strength is a fraction of it', () => {
    const { mean, deviation } = deviations(firstEchoes(drum).rssi);
    expect(mean / 47_185).toBeCloseTo(1, 2);
    expect(deviation / mean).toBeGreaterThan(0.029);
    expect(deviation / mean).toBeLessThan(0.031);
  });

  it('loses echoes that are only just strong enough', () => {
    const found = (remission: number, dropouts: number) => {
      const circles = [{ center: [0, 0], radius: 10, material: 'm' }] as const;
      const file = { circles, materials: { m: { remission } }, noise: { dropouts } };
      return firstEchoes(file).distance.length / 11_050;
    };
    // RSSI 32767.5 * remission: 1000 is twice the threshold, 0.5 / 4 are lost
    expect(found(0.0305184, 0.5)).toBeGreaterThan(0.86);
    expect(found(0.0305184, 0.5)).toBeLessThan(0.89);
    expect(found(0.0152595, 1)).toBeLessThan(0.01);
    expect(found(0.0305184, 0)).toBe(1);
    expect(found(0.9, 0.5)).toBeGreaterThan(0.999);
  });

  it('keeps echoes in their order and in range, however large it is', () => {
    const panes = [3, 3.3, 3.6].map((x) => ({ from: [x, -3], to: [x, 3], material: 'glass' }) as const);
    const measured = new MeasuredScene({ walls: panes, noise: { sigma: 1 } });
    for (let turn = 0; turn < 20; turn++) {
      const { distance } = measured.turn(turn).scan;
      for (let first = 0; first < distance.length; first += 3) {
        const echoes = [...distance.subarray(first, first + 3)].filter((value) => value > 0);
        expect(echoes).toEqual(echoes.toSorted((a, b) => a - b));
        if (echoes.length > 0) expect(echoes[0]).toBeGreaterThanOrEqual(49.99);
      }
    }
  });

  it('is drawn from a normal distribution', () => {
    const count = 1 << 16;
    const drawn = Array.from({ length: count }, (_, index) => gaussianAt(index * (2 ** 32 / count)));
    const share = (below: number) => drawn.filter((value) => value < below).length / count;
    // From tables of the normal distribution.
    expect(share(-2)).toBeCloseTo(0.02275, 3);
    expect(share(-1)).toBeCloseTo(0.15866, 3);
    expect(share(0.5)).toBeCloseTo(0.69146, 3);
    expect(share(3)).toBeCloseTo(0.99865, 3);
    expect(deviations(drawn).deviation).toBeCloseTo(1, 3);
  });
});

describe('a seed', () => {
  it('gives the same bytes for the same turn, whatever was measured before', () => {
    const alone = new MeasuredScene(drum).turn(100).bytes();
    const after = new MeasuredScene(drum);
    for (let turn = 1; turn < 100; turn++) after.turn(turn);
    expect(after.turn(100).bytes()).toBe(alone);
    expect(new MeasuredScene(drum).turn(100).bytes()).toBe(alone);
  });

  it('gives other bytes for another turn, and another seed others again', () => {
    const far = 2 ** 32;
    const bytes = [
      new MeasuredScene(drum).turn(100),
      new MeasuredScene(drum).turn(101),
      new MeasuredScene(drum).turn(100 + far),
      new MeasuredScene(drum, { seed: 2 }).turn(100),
      new MeasuredScene(drum, { seed: 1 + far }).turn(100),
      new MeasuredScene(drum, { seed: -1 }).turn(100),
    ].map((measured) => measured.bytes());
    expect(new Set(bytes).size).toBe(6);
  });
});
