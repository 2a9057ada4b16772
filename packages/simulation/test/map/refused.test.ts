import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { temporaryFolder } from '@azimuth/test-support/files';
import { describe, expect, it } from 'vitest';
import { loadScene, parseScene, SceneError } from '../../src/world/index.js';
import { DrawnMap, mapFile } from './drawn-maps.js';

const pixel = Buffer.from('P2 1 1 255 0');

/** Returns the message with which a scene is refused, without the folder. */
async function refusal(path: string): Promise<string> {
  try {
    await loadScene(path);
    return 'not refused';
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    return error.message.replaceAll(`${dirname(path)}/`, '');
  }
}

function described(text: string): string {
  const path = join(temporaryFolder(), 'hall.yaml');
  writeFileSync(path, text);
  return path;
}

describe('a map file is refused with the place and the reason:', () => {
  it.each<[Readonly<Record<string, string>>, string]>([
    [{ resolution: '.nan' }, 'resolution: expected a number of metres from 0.0001 to 100, got NaN'],
    [{ resolution: '.inf' }, 'resolution: expected a number of metres from 0.0001 to 100, got Infinity'],
    [{ resolution: '0' }, 'resolution: expected a number of metres from 0.0001 to 100, got 0'],
    [{ resolution: '-0.05' }, 'resolution: expected a number of metres from 0.0001 to 100, got -0.05'],
    [{ resolution: '"0.05"' }, 'resolution: expected a number of metres from 0.0001 to 100, got "0.05"'],
    [{ origin: '[0, 0]' }, 'origin: expected three numbers [x, y, yaw] in m and radians, got [0,0]'],
    [{ origin: '[0, .nan, 0]' }, 'origin[1]: expected a number of metres from -10000 to 10000, got NaN'],
    [{ origin: '[0, 0, 1e9]' }, 'origin[2]: expected an angle in radians from -1000 to 1000, got 1000000000'],
    [{ negate: '2' }, 'negate: expected 0 or 1, got 2'],
    [{ occupied_thresh: '65' }, 'occupied_thresh: expected a number from 0 to 1, got 65'],
    [{ free_thresh: '0.7' }, 'free_thresh: expected a number not above occupied_thresh (0.65), got 0.7'],
    [{ mode: 'grey' }, 'mode: expected "trinary", "scale" or "raw", got "grey"'],
    [{ image: '""' }, 'image: expected the name of a picture, got ""'],
    [{ image: '7' }, 'image: expected the name of a picture, got 7'],
  ])('%j', async (lines, problem) => {
    expect(await refusal(mapFile(pixel, lines))).toBe(`hall.yaml: ${problem}`);
  });

  it.each([
    ['', 'expected a map like {"image": "hall.pgm", "resolution": 0.05, "origin": [0, 0, 0]}, got null'],
    ['- 1', 'expected a map like {"image": "hall.pgm", "resolution": 0.05, "origin": [0, 0, 0]}, got [1]'],
    [
      'image: a.pgm\norigin: [0, 0, 0]',
      'resolution: expected a number of metres from 0.0001 to 100, got nothing',
    ],
    ['image: a.pgm\nresolution: [1', 'line 2, column 15: not valid YAML (BAD_INDENT)'],
    ['image: a\nimage: b', 'line 2, column 1: not valid YAML (DUPLICATE_KEY)'],
    [`a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]`, 'not valid YAML, or with aliases or very deep nesting'],
    ['['.repeat(30_000), 'line 1, column 821: not valid YAML (RESOURCE_EXHAUSTION)'],
  ])('%j', async (text, problem) => {
    expect(await refusal(described(text))).toBe(`hall.yaml: ${problem}`);
  });

  it('one that is too large, or no file', async () => {
    expect(await refusal(described(' '.repeat(70_000)))).toBe(
      'hall.yaml: expected at most 65536 bytes, got more',
    );
    expect(await refusal(join(temporaryFolder(), 'hall.yaml'))).toBe('hall.yaml: there is no such file');
    const path = join(temporaryFolder(), 'hall.yaml');
    mkdirSync(path);
    expect(await refusal(path)).toBe('hall.yaml: is not a file');
  });
});

describe('the picture of a map', () => {
  it.each([
    '../hall.pgm',
    'a/../../hall.pgm',
    '/etc/passwd',
    '..\\\\hall.pgm',
    'C:\\\\hall.pgm',
    'hall.pgm\\0',
  ])('is read only in the folder of the map or below, not %j', async (image) => {
    expect(await refusal(mapFile(pixel, { image: `"${image}"` }))).toMatch(
      /^hall\.yaml: image: expected a file in the folder of the map or below, got "/,
    );
  });

  it('may be in a folder below', async () => {
    const path = mapFile(pixel, { image: 'pictures/./hall.pgm' });
    mkdirSync(join(dirname(path), 'pictures'));
    writeFileSync(join(dirname(path), 'pictures', 'hall.pgm'), pixel);
    expect((await loadScene(path)).map?.outlines).toBe('M0 0h1v1h-1z');
  });

  it.skipIf(process.platform === 'win32')(
    'may be no device, no folder and no pipe that nobody writes to',
    async () => {
      const path = mapFile(pixel, { image: 'zero' });
      symlinkSync('/dev/zero', join(dirname(path), 'zero'));
      expect(await refusal(path)).toBe('zero: is not a file');
      const pipe = mapFile(pixel, { image: 'pipe' });
      execFileSync('mkfifo', [join(dirname(pipe), 'pipe')]);
      expect(await refusal(pipe)).toBe('pipe: is not a file');
      expect(await refusal(mapFile(pixel, { image: '.' }))).toMatch(/is not a file$/);
      expect(await refusal(mapFile(pixel, { image: 'none.pgm' }))).toBe('none.pgm: there is no such file');
    },
  );

  const pgm = (head: string, bytes = 0) => Buffer.concat([Buffer.from(head), Buffer.alloc(bytes)]);

  it.each<[string, Buffer, string]>([
    ['empty', Buffer.alloc(0), 'expected a PGM or PNG picture'],
    ['of another format', pgm('P6 1 1 255\n', 3), 'expected a PGM or PNG picture'],
    ['without size', pgm('P5'), 'expected the width, got the end of the file'],
    ['with a comment that never ends', pgm('P5 # 1 1'), 'expected the width, got the end of the file'],
    ['of a negative size', pgm('P5 -1 1 255\n'), 'expected the width, got "-1 1 255\\n" at byte 4'],
    ['of no size', pgm('P5 0 9 255\n'), 'expected a picture of 1 to 32000000 pixels, got one of 0 × 9'],
    [
      'huge',
      pgm('P5 999999999 999999999 255\n'),
      'expected a picture of 1 to 32000000 pixels, got one of 999999999 × 999999999',
    ],
    [
      'with a number too long',
      pgm('P5 99999999999 1 255\n'),
      'expected the width, got "99999999999 " at byte 4',
    ],
    ['without white', pgm('P5 1 1 0\n', 1), 'expected a value of white from 1 to 65535, got 0'],
    ['cut off', pgm('P5 4000 4000 255\n', 100), 'expected 16000000 bytes of pixels, got 100'],
    ['of words, cut off', pgm('P5 4 4 256\n', 16), 'expected 32 bytes of pixels, got 16'],
    ['of text, cut off', pgm('P2 4 4 255 1 2'), 'expected pixel 3 of 16, got the end of the file'],
    ['of text that is none', pgm('P2 4 4 255 1 x'), 'expected pixel 2 of 16, got "x" at byte 14'],
    ['brighter than white', pgm('P2 1 1 10 11'), 'pixel 1: expected at most 10, the value of white, got 11'],
    [
      'of bytes brighter than white',
      Buffer.concat([pgm('P5 2 1 10\n'), Buffer.from([1, 200])]),
      'pixel 2: expected at most 10, the value of white, got 200',
    ],
  ])('is refused if it is %s', async (_, picture, problem) => {
    expect(await refusal(mapFile(picture))).toBe(`hall.pgm: ${problem}`);
  });

  /** One chunk of a PNG file. */
  function chunk(type: string, data: Uint8Array): Buffer {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  }

  interface Png {
    readonly depth?: number;
    readonly colourType?: number;
    readonly interlaced?: number;
    /** Chunks before the pixels. */
    readonly more?: Uint8Array;
    readonly end?: boolean;
  }

  function png([width, height]: readonly [number, number], pixels: Uint8Array, other: Png = {}): Buffer {
    const { depth = 8, colourType = 0, interlaced = 0, more = Buffer.alloc(0), end = true } = other;
    const head = Buffer.alloc(13);
    head.writeUInt32BE(width, 0);
    head.writeUInt32BE(height, 4);
    head.set([depth, colourType, 0, 0, interlaced], 8);
    const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const ending = end ? chunk('IEND', Buffer.alloc(0)) : Buffer.alloc(0);
    return Buffer.concat([signature, chunk('IHDR', head), more, chunk('IDAT', pixels), ending]);
  }

  const rows = (bytes: number) => deflateSync(Buffer.alloc(bytes));
  const row = rows(3);
  const broken = 'not a PNG picture: ';

  it('may be an interlaced PNG file', async () => {
    expect(
      (await loadScene(mapFile(png([9, 9], rows(100), { interlaced: 1 }), {}, 'hall.png'))).map?.outlines,
    ).toBe('M0 0h9v9h-9z');
  });

  it.each<[string, () => Buffer, string]>([
    [
      'has huge dimensions',
      () => png([2 ** 31 - 1, 2 ** 31 - 1], row),
      'expected a picture of 1 to 32000000 pixels, got one of 2147483647 × 2147483647',
    ],
    ['has no width', () => png([0, 2], row), 'expected a picture of 1 to 32000000 pixels, got one of 0 × 2'],
    [
      'needs much memory',
      () => png([5000, 5000], row, { depth: 16, colourType: 6 }),
      'expected a picture of at most 134217728 bytes without compression, got 200005000',
    ],
    [
      'decompresses to much more than its size',
      () => png([2, 1], rows(100_000_000)),
      `${broken}its pixels cannot be decompressed, or are more than its size says`,
    ],
    [
      'is interlaced and decompresses to much more',
      () => png([2, 1], rows(100_000_000), { interlaced: 1 }),
      `${broken}its pixels cannot be decompressed, or are more than its size says`,
    ],
    [
      'is interlaced and has too few rows',
      () => png([9, 9], row, { interlaced: 1 }),
      `${broken}expected 100 bytes of pixels, got 3`,
    ],
    [
      'has a huge palette',
      () => png([2, 1], row, { colourType: 3, more: chunk('PLTE', Buffer.alloc(9_000_000)) }),
      `${broken}it has more than 256 colours`,
    ],
    [
      'has many palettes',
      () =>
        png([2, 1], row, {
          colourType: 3,
          more: Buffer.concat([chunk('PLTE', Buffer.alloc(768)), chunk('PLTE', Buffer.alloc(768))]),
        }),
      `${broken}it has two palettes`,
    ],
    ['has no end', () => png([2, 1], row, { end: false }), `${broken}the file ends too early`],
    ['is cut off', () => png([2, 1], row).subarray(0, 50), `${broken}the file ends too early`],
    ['has no head', () => png([2, 1], row).subarray(0, 20), `${broken}it has no head`],
    ['has too few rows', () => png([2, 9], row), `${broken}expected 27 bytes of pixels, got 3`],
    [
      'has pixels that are not compressed',
      () => png([2, 1], Buffer.from('hello')),
      `${broken}its pixels cannot be decompressed`,
    ],
    [
      'has compressed pixels that are cut off',
      () => png([200, 200], rows(40_200).subarray(0, 20)),
      `${broken}its pixels cannot be decompressed`,
    ],
    ['has an unknown depth', () => png([2, 1], row, { depth: 7 }), broken],
    ['has an unknown colour type', () => png([2, 1], row, { colourType: 5 }), broken],
    ['has an unknown filter', () => png([2, 1], deflateSync(Buffer.from([9, 0, 0]))), broken],
    ['has a wrong check sum', () => png([2, 1], row).fill(7, 29, 33), broken],
  ])('is refused if it is a PNG file that %s', async (_, picture, problem) => {
    expect(await refusal(mapFile(picture(), {}, 'hall.png'))).toContain(`hall.png: ${problem}`);
  });

  it('takes no memory for what a small file decompresses to', async () => {
    const bomb = mapFile(png([2, 1], rows(1_000_000_000)), {}, 'hall.png');
    const before = process.memoryUsage().rss;
    expect(await refusal(bomb)).toMatch('or are more than its size says');
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it('has outlines of at most 500000 lines', async () => {
    const cells = new DrawnMap(1000, 1000);
    for (let row = 0; row < 1000; row++)
      for (let column = row % 2; column < 1000; column += 2) cells.fill(column, row);
    expect(await refusal(mapFile(cells.pgm()))).toBe(
      'hall.pgm: expected occupied cells with outlines of at most 500000 lines, got more',
    );
  });
});

describe('the map of a scene', () => {
  it('is a file in the folder of the scene or below', async () => {
    const folder = dirname(mapFile(pixel));
    const expected = 'a ROS map (.yaml) in the folder of the scene or below';
    const scene = (map: string) => {
      const path = join(folder, 'scene.json');
      writeFileSync(path, JSON.stringify({ map }));
      return path;
    };
    expect((await loadScene(scene('hall.yaml'))).map?.outlines).toBe('M0 0h1v1h-1z');
    expect((await loadScene(scene('./hall.yaml'))).map?.name).toBe('hall.yaml');
    for (const map of ['../hall.yaml', '/srv/hall.yaml', 'hall.pgm'])
      expect(await refusal(scene(map))).toBe(`scene.json: map: expected ${expected}, got "${map}"`);
    expect(await refusal(scene('attic.yaml'))).toBe('attic.yaml: there is no such file');
  });

  it('over the control port is its walls, never the name of a file', () => {
    expect(() => parseScene({ map: 'hall.yaml' }, 'scene')).toThrow(
      'scene: map: expected the walls of a map; a scene file can also name a ROS map in its folder or below, like "hall.yaml", got "hall.yaml"',
    );
  });

  it.each([
    ['M0 0h1v1h-1', 'got its end at character 12'],
    ['h1v1z', 'got "h1v1z" at character 1'],
    ['M0 0h1v1z', 'got "M0 0h1v1z" at character 1'],
    ['M0 0h1v1h-1zz', 'got "z" at character 13'],
    ['M0 0h1M1 1', 'got "M1 1" at character 7'],
    ['M0 0 h1', 'got " h1" at character 5'],
    ['M0 0h1.5v1h-1z', 'got ".5v1h-1z" at character 7'],
    ['M0 0h--1z', 'got "-1z" at character 7'],
    ['M0 0h1000001z', 'got "1z" at character 12'],
    ['M0 0h99999v99999h99999v-99999z', 'at character 1'],
    ['M999999 0h1v1h-1z', 'at character 1'],
    ['M0', 'got its end at character 3'],
  ])('is refused with outlines like %s', (outlines, problem) => {
    expect(() => parseScene({ map: { resolution: 0.05, outlines } }, 'scene')).toThrow(problem);
  });

  it('is refused with more than 500000 lines', () => {
    const outlines = 'M0 0h1v1h-1z'.repeat(130_000);
    expect(() => parseScene({ map: { resolution: 0.05, outlines } }, 'scene')).toThrow(
      'at most 500000 lines',
    );
  });

  it('has a material of the scene', () => {
    const map = { resolution: 0.05, outlines: '', material: 'brick' };
    expect(() => parseScene({ map }, 'scene')).toThrow('scene: map.material: unknown material "brick"');
    expect(parseScene({ map, materials: { brick: {} } }, 'scene').map?.material).toBe('brick');
  });
});
