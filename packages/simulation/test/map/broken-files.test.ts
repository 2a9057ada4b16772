import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { loadScene, SceneError } from '../../src/world/index.js';
import { randomNumbers } from '../scene/random-scene.js';
import { DrawnMap, mapFile } from './drawn-maps.js';

const scenes = fileURLToPath(new URL('../../scenes/', import.meta.url));
const random = randomNumbers(1);

/** Returns bytes with a few changes: bytes replaced, a part removed, or a part repeated. */
function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const place = () => Math.floor(random() * copy.length);
  const kind = random();
  if (kind < 0.6) {
    for (let count = 0; count < 1 + random() * 4; count++)
      copy[random() < 0.5 ? place() % 40 : place()] = random() * 256;
    return copy;
  }
  const [from, to] = [place(), place()].toSorted((a, b) => a - b);
  if (kind < 0.8) return Buffer.concat([copy.subarray(0, from), copy.subarray(to)]);
  return Buffer.concat([copy.subarray(0, to), copy.subarray(from)]);
}

/** Loads a map, and returns whether it was refused. Any other error than that of a scene fails the test. */
async function isRefused(path: string): Promise<boolean> {
  try {
    await loadScene(path);
    return false;
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    return true;
  }
}

function png(width: number, height: number, colorType: 0 | 2 | 4 | 6): Buffer {
  const picture = new PNG({ width, height });
  for (let at = 0; at < picture.data.length; at++) picture.data[at] = random() * 256;
  return PNG.sync.write(picture, { colorType });
}

describe('a damaged file of a map is refused or read, and never fails otherwise:', () => {
  const cells = new DrawnMap(12, 9).fill(2, 3, 4, 2).fill(7, 1, 1, 7);
  it.each<[string, Buffer]>([
    ['PGM', cells.pgm()],
    ['PGM of text', readFileSync(join(scenes, 'hall.pgm'))],
    ['grey PNG', png(12, 9, 0)],
    ['PNG with alpha', png(12, 9, 4)],
    ['coloured PNG', png(12, 9, 6)],
  ])('%s', async (_, picture) => {
    const path = mapFile(picture);
    let refused = 0;
    for (let count = 0; count < 150; count++) {
      writeFileSync(join(dirname(path), 'hall.pgm'), damaged(picture));
      if (await isRefused(path)) refused += 1;
    }
    expect(refused).toBeGreaterThan(10);
  });

  it('the description', async () => {
    const path = mapFile(cells.pgm());
    const description = readFileSync(path);
    let refused = 0;
    for (let count = 0; count < 200; count++) {
      writeFileSync(path, damaged(description));
      if (await isRefused(path)) refused += 1;
    }
    expect(refused).toBeGreaterThan(50);
  });
});
