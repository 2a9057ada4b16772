import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SceneFile } from '../../src/world/index.js';
import { MeasuredScene } from './measured-scene.js';
import { randomScene } from './random-scene.js';

const noise = { dropouts: 0.2 };
const away = [
  { t: 0, x: 3, y: -4 },
  { t: 1, x: 4, y: 5 },
  { t: 2, x: -3, y: 2 },
];
const wanders = { waypoints: away, repeat: 'back-and-forth' } as const;
const stopsAtOnce = { waypoints: [{ t: 0, x: -2, y: 3 }] };
const actors: SceneFile['actors'] = [
  { boxes: [{ center: [0, 0], size: [1, 0.6], material: 'white' }], path: wanders },
  { circles: [{ center: [0, 0], radius: 0.3 }], legs: {}, path: { ...wanders, phase: 1 } },
  { boxes: [{ center: [0, 0], size: [0.5, 0.5] }], path: stopsAtOnce },
];
const pane = { boxes: [{ center: [0, 0], size: [1, 0.1], material: 'glass' }], path: wanders } as const;
const glass = [{ from: [6, -3], to: [6, 4], material: 'glass' }] as const;
const randomBodies = randomScene(7, 60, 5);
const drives = {
  path: {
    waypoints: [
      { t: 0, x: 0, y: 0 },
      { t: 0.6, x: 1, y: 1 },
    ],
    repeat: 'stop',
  },
} as const;

const scenes: Readonly<Record<string, SceneFile>> = {
  'walls and circles': { ...randomBodies, noise },
  actors: { ...randomBodies, actors, noise },
  'a scanner that drives and stops': { ...randomBodies, scanner: drives, noise },
  'a scanner that drives and stops among actors': { ...randomBodies, scanner: drives, actors, noise },
  'actors behind glass': { ...randomBodies, walls: [...(randomBodies.walls ?? []), ...glass], actors, noise },
  'actors of glass': { ...randomBodies, actors: [...actors, pane], noise },
  'fog that an actor crosses': {
    ...randomBodies,
    fog: [{ center: [4, 0], radius: 2, density: 0.1 }],
    actors,
    noise,
  },
};

/** Digests computed by code that did not reuse anything of a scan. */
const digestsOfScenes = {
  'walls and circles': 'db8b9e785c17b3c7',
  actors: '7c2e5d05cd453bf8',
  'a scanner that drives and stops': 'ced43795e87e0258',
  'a scanner that drives and stops among actors': 'acb98b6cab3fc0b0',
  'actors behind glass': 'fbadc2837fc4640c',
  'actors of glass': 'fe7e876492ff682e',
  'fog that an actor crosses': 'dabb6df2ad237d2b',
};

const turns = Array.from({ length: 25 }, (_, turn) => ({ number: 3 * turn, time: 0.1 * turn }));

describe('a scan', () => {
  it.each(Object.entries(scenes))('does not depend on the scans before: %s', (_, file) => {
    const measured = new MeasuredScene(file);
    for (const { number, time } of turns) {
      const alone = new MeasuredScene(file).turn(number, time);
      expect(measured.turn(number, time).bytes() === alone.bytes(), `scan ${number}`).toBe(true);
    }
  });

  it('is the same in every release for the same scene and seed', () => {
    const digests = Object.entries(scenes).map(([name, file]) => [name, digestOf(file)]);
    expect(Object.fromEntries(digests)).toEqual(digestsOfScenes);
  });
});

/** Returns a digest of all echoes in whole mm, as in telegrams. */
function digestOf(file: SceneFile): string {
  const measured = new MeasuredScene(file, { seed: 11 });
  const hash = createHash('sha256');
  for (const { number, time } of turns) {
    const { distance, rssi, flags } = measured.turn(number, time).scan;
    hash.update(Uint16Array.from(distance, Math.round)).update(rssi).update(flags);
  }
  return hash.digest('hex').slice(0, 16);
}
