import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@azimuth/test-support/files';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import {
  loadScene,
  mostElements,
  parseScene,
  readyScene,
  readyScenes,
  SceneError,
  sceneJsonSchema,
} from '../../src/world/index.js';

const scenes = fileURLToPath(new URL('../../scenes/', import.meta.url));
const page = fileURLToPath(new URL('../../../../docs/scenes.md', import.meta.url));

const read = (name: string): unknown => JSON.parse(readFileSync(join(scenes, name), 'utf8'));

function problemsOf(json: unknown): string[] {
  try {
    parseScene(json, 'aisle.json');
    return [];
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    return error.message.split('\n');
  }
}

const validator = () => new Ajv({ allErrors: true }).compile(sceneJsonSchema());

describe('a scene file', () => {
  it('may be empty', () => {
    const scene = parseScene({}, 'empty.json');
    expect(scene.scanner).toEqual({ x: 0, y: 0, heading: 0 });
    expect(scene.noise).toEqual({ enabled: true, sigma: 0.006, strength: 0.03, dropouts: 0.5 });
    expect([scene.walls, scene.actors, scene.materials]).toEqual([[], [], {}]);
  });

  it('with several faults is refused with all of them, each with its place', () => {
    const faults = problemsOf({
      walls: [
        { from: [0, 0], to: [1, 0] },
        { from: [0, Number.NaN], to: [1] },
        { from: [0, 0], to: 'left' },
      ],
      circles: [{ center: [0, 0], radius: 0 }],
      polygons: [
        {
          points: [
            [0, 0],
            [1, 1],
          ],
        },
      ],
      materials: { 'dark glass': { transparency: 1.5 }, gold: { remission: Number.POSITIVE_INFINITY } },
      fog: [{ density: 1 }, { center: [0, 0], radius: 1, points: [] }],
      actors: [
        {
          path: {
            waypoints: [
              { t: 1, x: 0, y: 0 },
              { t: 1, x: 0, y: 0 },
            ],
            repeat: 'lop',
          },
        },
        { path: { waypoints: [] } },
        {},
      ],
      scanner: null,
    });
    expect(faults.sort()).toEqual([
      'aisle.json: actors[0].path.repeat: expected "stop", "loop" or "back-and-forth", got "lop"',
      'aisle.json: actors[0].path.waypoints[1].t: expected a time after 1, by at least 1 ms, got 1',
      'aisle.json: actors[1].path.waypoints: expected at least 1 waypoint, got []',
      'aisle.json: actors[2].path: expected a path like {"waypoints": [{"t": 0, "x": 1, "y": 0}]}, got nothing',
      'aisle.json: circles[0].radius: expected a number of metres from 0.0001 to 10000, got 0',
      'aisle.json: fog[0]: expected either points, or center and radius, got {"density":1}',
      'aisle.json: fog[1].points: expected at least 3 points, got []',
      'aisle.json: fog[1]: expected either points, or center and radius, got {"center":[0,0],"radius":1,"points":[]}',
      'aisle.json: materials.gold.remission: expected a remission from 0 to 100, got Infinity',
      'aisle.json: materials["dark glass"].transparency: expected a share from 0 to 1, got 1.5',
      'aisle.json: polygons[0].points: expected at least 3 points, got [[0,0],[1,1]]',
      'aisle.json: scanner: expected a scanner like {"x": 0, "y": 0, "heading": 0}, got null',
      'aisle.json: walls[1].from[1]: expected a number of metres from -10000 to 10000, got NaN',
      'aisle.json: walls[1].to: expected two numbers [x, y] in m, got [1]',
      'aisle.json: walls[2].to: expected two numbers [x, y] in m, got "left"',
    ]);
  });

  it('has at least 1 ms between two waypoints, so that no scan has more of them than time allows', () => {
    const path = (...times: readonly number[]) => ({
      actors: [{ path: { waypoints: times.map((t) => ({ t, x: 0, y: 0 })), repeat: 'loop' } }],
    });
    expect(problemsOf(path(0, 0.001, 1, 1.001, 999_999.999, 1_000_000))).toEqual([]);
    expect(problemsOf(path(0, 1e-9))).toEqual([
      'aisle.json: actors[0].path.waypoints[1].t: expected a time after 0, by at least 1 ms, got 1e-9',
    ]);
  });

  it.each([
    [{ wals: [] }, 'aisle.json: unknown "wals" (did you mean "walls"?)'],
    [{ scanner: { haeding: 3 } }, 'aisle.json: scanner: unknown "haeding" (did you mean "heading"?)'],
    [{ people: 3 }, 'aisle.json: unknown "people"'],
    [JSON.parse('{"__proto__": 1}'), 'aisle.json: unknown "__proto__"'],
    [[1], 'aisle.json: expected a scene like {"walls": [...]}, got [1]'],
    [undefined, 'aisle.json: expected a scene like {"walls": [...]}, got nothing'],
    [
      { walls: [{ from: [0, 0], to: [1, 1], material: 'glas' }] },
      'aisle.json: walls[0].material: unknown material "glas" (did you mean "glass"?)',
    ],
    [
      { actors: [{ legs: { material: 'wool' }, path: { waypoints: [{ t: 0, x: 0, y: 0 }] } }] },
      'aisle.json: actors[0].legs.material: unknown material "wool"',
    ],
    [
      {
        actors: [
          {
            circles: [{ center: [0, 0], radius: 1, material: 'toString' }],
            path: { waypoints: [{ t: 0, x: 0, y: 0 }] },
          },
        ],
      },
      'aisle.json: actors[0].circles[0].material: unknown material "toString"',
    ],
  ])('is refused with the reason: %j', (json, message) => {
    expect(problemsOf(json)).toEqual([message]);
  });

  it('has at most 20000 lines and circles, those of polygons and actors included', () => {
    const points = Array.from({ length: mostElements / 2 }, (_, index) => [index % 100, index / 100]);
    const path = { waypoints: [{ t: 0, x: 0, y: 0 }] };
    const full = { polygons: [{ points }], actors: [{ polygons: [{ points }], path }] };
    expect(problemsOf(full)).toEqual([]);
    expect(problemsOf({ ...full, circles: [{ center: [0, 0], radius: 1 }] })).toEqual([
      'aisle.json: expected at most 20000 lines and circles in all, got 20001',
    ]);
  });

  it('with very many faults is refused with the first twenty and their number', () => {
    const faults = problemsOf({ walls: Array.from({ length: 500 }, () => 1) });
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toBe('aisle.json: and 480 faults more');
  });

  it('may define a material with the name of a predefined one', () => {
    const scene = parseScene({ materials: { glass: { remission: 0.3 } } }, 'a.json');
    expect(scene.materials).toEqual({ glass: { remission: 0.3, transparency: 0 } });
  });
});

describe('loading', () => {
  const file = (text: string, name = 'aisle.json') => {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, text);
    return path;
  };

  it('takes a ready scene by its name, and a scene from a file', async () => {
    expect(await loadScene('gate')).toEqual(readyScene('gate'));
    expect((await loadScene(file('\uFEFF{"name": "Mine"}'))).name).toBe('Mine');
  });

  it.each([
    ['{\n  "walls": [,]\n}', 'line 2, column 13: not valid JSON, did not expect ","'],
    ['{\n  "walls": [],\n}', 'line 3, column 1: not valid JSON, did not expect "}"'],
    ['{"walls": [}', 'line 1, column 12: not valid JSON, did not expect "}"'],
    ['{"walls" []}', 'line 1, column 10: not valid JSON, did not expect "["'],
    ['{"walls": nothing}', 'line 1, column 11: not valid JSON, did not expect "nothing"'],
    ['{"walls": 01}', 'line 1, column 12: not valid JSON, did not expect "1"'],
    ['{"a": "b\nc"}', 'line 1, column 7: not valid JSON, did not expect "\\""'],
    ['{walls: 1}', 'line 1, column 2: not valid JSON, did not expect "walls"'],
    ['{} {}', 'line 1, column 4: not valid JSON, did not expect "{"'],
    ['{"a": [1 2]}', 'line 1, column 10: not valid JSON, did not expect "2"'],
    ['{"walls": [', 'line 1, column 12: not valid JSON, the file ends too early'],
    ['', 'line 1, column 1: not valid JSON, the file ends too early'],
    ['{"a": {"b": 1}, 3', 'line 1, column 17: not valid JSON, did not expect "3"'],
    [']', 'line 1, column 1: not valid JSON, did not expect "]"'],
  ])('reports where a file is not valid JSON: %j', async (text, message) => {
    await expect(loadScene(file(text))).rejects.toThrow(new SceneError(`aisle.json: ${message}`));
  });

  it('refuses a file of brackets and one of quotes', async () => {
    await expect(loadScene(file('['.repeat(1_000_000)))).rejects.toThrow('nested too deeply');
    await expect(loadScene(file(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).rejects.toThrow(
      'a scene like',
    );
    await expect(loadScene(file(`"${'a'.repeat(7_000_000)}`))).rejects.toThrow('line 1, column 1');
    await expect(loadScene(file(`{"${'\\n'.repeat(3_000_000)}" 1}`))).rejects.toThrow('did not expect "1"');
  });

  it('reports an unknown name, a missing file, a folder and a file that is too large', async () => {
    const ready = 'the ready scenes are empty-room, warehouse-aisle, conveyor, gate, vehicle-profile';
    await expect(loadScene('warehouse-isle')).rejects.toThrow(
      new SceneError(`unknown scene "warehouse-isle" (did you mean "warehouse-aisle"?); ${ready}`),
    );
    expect(() => readyScene('../package')).toThrow(new SceneError(`unknown scene "../package"; ${ready}`));
    const folder = temporaryFolder();
    await expect(loadScene(join(folder, 'a.json'))).rejects.toThrow(/a\.json: there is no such file$/);
    mkdirSync(join(folder, 'b.json'));
    await expect(loadScene(join(folder, 'b.json'))).rejects.toThrow(/b\.json: cannot be read \(EISDIR\)$/);
    await expect(loadScene(file(' '.repeat(9_000_000)))).rejects.toThrow(
      'expected at most 8388608 bytes, got more',
    );
  });

  it.skipIf(process.platform === 'win32')('reads no more than that of a device that never ends', async () => {
    await expect(loadScene('/dev/zero')).rejects.toThrow('expected at most 8388608 bytes, got more');
  });
});

describe('the JSON Schema', () => {
  it('in the package is generated from the definition of the files', () => {
    expect(read('scene.schema.json')).toEqual(sceneJsonSchema());
  });

  it.each(readyScenes)('and the parser accept the ready scene %s', (name) => {
    const validate = validator();
    const json = read(`${name}.json`);
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
    expect(readyScene(name)).toEqual(parseScene(json, name));
    expect(json).toHaveProperty('$schema', './scene.schema.json');
  });

  it('refuses what the parser refuses', () => {
    const validate = validator();
    for (const json of [
      { wals: [] },
      { walls: [{ from: [0, 0] }] },
      { walls: [{ from: [0, 0], to: [1, 2, 3] }] },
      { walls: [{ from: [0, 0], to: [1] }] },
      { circles: [{ center: [0, 0], radius: 0 }] },
      { actors: [{}] },
    ]) {
      expect(validate(json), JSON.stringify(json)).toBe(false);
      expect(problemsOf(json)).not.toEqual([]);
    }
  });

  it('describes every member', () => {
    const bare: string[] = [];
    const visit = (schema: unknown, place: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, value] of Object.entries(schema)) {
        if (key === 'properties') {
          for (const [name, member] of Object.entries(value ?? {})) {
            if (!JSON.stringify(member).includes('"description"') && !JSON.stringify(member).includes('$ref'))
              bare.push(`${place}.${name}`);
          }
        }
        visit(value, `${place}.${key}`);
      }
    };
    visit(sceneJsonSchema(), '');
    expect(bare).toEqual([]);
  });
});

describe('the page about scenes', () => {
  const text = readFileSync(page, 'utf8');

  it('has examples that are scenes, with the map beside them', async () => {
    const examples = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']): unknown =>
      JSON.parse(json),
    );
    expect(examples.length).toBeGreaterThan(0);
    const validate = validator();
    const folder = temporaryFolder();
    for (const name of ['hall.yaml', 'hall.pgm']) copyFileSync(join(scenes, name), join(folder, name));
    for (const example of examples) {
      const path = join(folder, 'example.json');
      writeFileSync(path, JSON.stringify(example));
      expect(await loadScene(path)).toHaveProperty('actors');
      expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
    }
  });

  it('names every ready scene', () => {
    for (const name of readyScenes) expect(text).toContain(`\`${name}\``);
  });
});
