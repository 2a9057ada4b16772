import { readFileSync } from 'node:fs';
import { Scan } from '@azimuth/device';
import { SensitivityMode } from '@azimuth/model';
import { describe, expect, it } from 'vitest';
import { parseScene, type Scene, SceneError, SceneMeasurement, World } from '../../src/world/index.js';
import { geometryOfProfile, quarterDegree } from '../scene/measured-scene.js';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const agv: unknown = JSON.parse(read('examples/worlds/agv.json'));
const [, inDocs = ''] =
  /```json\n(\{\n {2}"name": "Two scanners[\s\S]*?)```/.exec(read('docs/scenes.md')) ?? [];

/** Numbers from 0 to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const strange: readonly unknown[] = [
  null,
  -1,
  1e9,
  '',
  'front',
  '../x',
  [],
  {},
  true,
  [[0, 0]],
  { name: 'a' },
  0.5,
];

/** Returns a copy in which some values are others. */
function damaged(value: unknown, random: () => number): unknown {
  if (random() < 0.01) return strange[Math.floor(random() * strange.length)];
  if (Array.isArray(value)) {
    const list = value.map((entry) => damaged(entry, random));
    return random() < 0.01 ? [...list, ...list] : list;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]) =>
    random() < 0.004 ? [] : [[random() < 0.002 ? `${name}x` : name, damaged(member, random)] as const],
  );
  return Object.fromEntries(members);
}

/** Measures a scan of each scanner, at some time. */
function measure(scene: Scene): void {
  const world = new World({ scene });
  const geometry = geometryOfProfile(quarterDegree);
  const order = { geometry, sensitivity: SensitivityMode.STANDARD, longRange: false };
  for (const name of world.scanners.length === 0 ? [undefined] : world.scanners.map((one) => one.name)) {
    const scan = new Scan(geometry);
    new SceneMeasurement(scene, 1, order, world.viewpointOf(name)).measure(scan, 3.3);
    for (const distance of scan.distance) if (!(distance >= 0)) throw new RangeError(`${name}: ${distance}`);
  }
}

describe('a world file', () => {
  it.each([
    ['of the examples', agv, ['gate', 'front', 'rear']],
    ['in docs/scenes.md', JSON.parse(inDocs), ['gate', 'front', 'rear']],
  ])('%s has its scanners', (_, json, names) => {
    const scene = parseScene(json, 'agv.json');
    expect(new World({ scene }).scanners.map(({ name }) => name)).toEqual(names);
    measure(scene);
  });

  it('that is damaged in any way is refused with the place, or measured', () => {
    const random = randomNumbers(42);
    let refused = 0;
    let measured = 0;
    for (let round = 0; round < 400; round++) {
      const json = damaged(JSON.parse(inDocs), random);
      try {
        const scene = parseScene(json, 'agv.json');
        measured++;
        if (measured < 20) measure(scene);
      } catch (error) {
        if (!(error instanceof SceneError)) throw error;
        refused++;
        expect(error.message).toMatch(/^agv\.json: /);
      }
    }
    expect(refused).toBeGreaterThan(50);
    expect(measured).toBeGreaterThan(20);
  });

  const scanner = (name: string) => ({ name });
  it.each([
    [
      { scanners: [scanner('a'), scanner('a')] },
      'scanners[1].name: expected another one than that of scanners[0], got "a"',
    ],
    [
      { scanners: [scanner('a')], vehicles: [{ name: 'v', scanners: [scanner('a')] }] },
      'vehicles[0].scanners[0].name: expected another one than that of scanners[0]',
    ],
    [
      { vehicles: [scanner('v'), scanner('v')] },
      'vehicles[1].name: expected another one than that of vehicles[0]',
    ],
    [
      { scanners: ['a', 'b'].map((name) => ({ name, serial: 'X1' })) },
      'scanners[1].serial: expected another one than that of scanners[0]',
    ],
    [
      { scanners: [{ name: 'a', serial: 'no-serial' }] },
      'scanners[0].serial: expected up to 9 letters and digits',
    ],
    [
      { scanners: [{ name: 'a', ports: { htpp: 1 } }] },
      'scanners[0].ports: unknown "htpp" (did you mean "http"?)',
    ],
    [
      { scanners: [{ name: 'a', ports: { http: 65_536 } }] },
      'scanners[0].ports.http: expected a port from 0 to 65535',
    ],
    [{ scanners: [{ name: 'a', housing: true }] }, 'scanners[0].housing: expected a housing like'],
    [
      { scanners: [{ name: 'a', housing: { material: 'gray' } }] },
      'scanners[0].housing.material: unknown material "gray" (did you mean "grey"?)',
    ],
    [
      { vehicles: [{ name: 'v', boxes: [{ center: [0, 0], size: [1, 1], material: 'gray' }] }] },
      'vehicles[0].boxes[0].material: unknown material "gray"',
    ],
    [
      { scanner: { x: 1 }, scanners: [scanner('a')] },
      'scanner: expected none, because the scanners have names: a',
    ],
    [
      { scanner: { drive: { speed: 1 } }, scanners: [scanner('a')] },
      'scanner: expected none, because the scanners have names: a',
    ],
    [{ vehicle: [] }, 'unknown "vehicle" (did you mean "vehicles"?)'],
    [
      { vehicles: ['v', 'w'].map((name) => ({ name, scanners: many(name, 40) })) },
      'expected at most 64 scanners in all, got 80',
    ],
  ])('%j is refused with the place and what was expected', (json, message) => {
    expect(() => parseScene(json, 'yard.json')).toThrow(message);
  });
});

function many(prefix: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}` }));
}
