import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { loadScene } from '../../src/world/index.js';
import { mapFile } from './drawn-maps.js';

type Lines = Readonly<Record<string, string>>;

/** Returns the occupied cells of a map of one row: the columns at which its outlines begin and end. */
async function occupiedColumns(picture: Uint8Array, lines: Lines = {}, image = 'hall.pgm'): Promise<string> {
  const { map } = await loadScene(mapFile(picture, lines, image));
  return [...(map?.outlines ?? '').matchAll(/M(\d+) 0h(\d+)v1h-\2z/g)]
    .map(([, column, columns]) => (columns === '1' ? column : `${column}+${columns}`))
    .join(' ');
}

const textPgm = (...pixels: number[]) => Buffer.from(`P2 ${pixels.length} 1 255 ${pixels.join(' ')}`);

type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

/** Returns a PNG file of one row, of a colour type: 0 grey, 2 colours, 4 grey with alpha, 6 colours with alpha. */
function png(colorType: 0 | 2 | 4 | 6, ...pixels: Rgba[]): Buffer {
  const picture = new PNG({ width: pixels.length, height: 1 });
  picture.data = Buffer.from(pixels.flat());
  return PNG.sync.write(picture, { colorType });
}

const grey = (brightness: number, alpha = 255): Rgba => [brightness, brightness, brightness, alpha];

describe('the picture of a map', () => {
  it('is a PGM file of text or of bytes, with comments and with values of 16 bits', async () => {
    expect(await occupiedColumns(textPgm(0, 254, 0, 0))).toBe('0 2+2');
    const commented = Buffer.from('P2\n# CREATOR: map saver 0.050 m/pix\n3 # columns\n1\n100\n 0\t99\r\n0');
    expect(await occupiedColumns(commented)).toBe('0 2');
    const bytes = Buffer.concat([Buffer.from('P5\n# made\n3 1\n255\n'), Buffer.from([0, 35, 255])]);
    expect(await occupiedColumns(bytes)).toBe('0+2');
    const words = Buffer.concat([Buffer.from('P5 3 1 1000\n'), Buffer.from([0, 100, 3, 232, 1, 94])]);
    expect(await occupiedColumns(words, { occupied_thresh: '0.6499' })).toBe('0 2');
  });

  it('begins at the top, so that its last row is the first of the map', async () => {
    const { map } = await loadScene(mapFile(Buffer.from('P2 3 2 255  0 255 255  255 255 0')));
    expect(map?.outlines).toBe('M2 0h1v1h-1zM0 1h1v1h-1z');
  });

  it('has an outline for each of two cells that touch only at a corner, and one for the hole between walls', async () => {
    const corner = await loadScene(mapFile(Buffer.from('P2 2 2 255  0 255  255 0')));
    expect(corner.map?.outlines).toBe('M1 0h1v1h-1zM0 1h1v1h-1z');
    const ring = await loadScene(mapFile(Buffer.from('P2 3 3 255  0 0 0  0 255 0  0 0 0')));
    expect(ring.map?.outlines).toBe('M0 0h3v3h-3zM1 2h1v-1h-1z');
  });

  it('is a PNG file of grey or coloured pixels', async () => {
    expect(await occupiedColumns(png(0, grey(0), grey(254), grey(0)), {}, 'hall.png')).toBe('0 2');
    // The mean of red, green and blue counts.
    expect(await occupiedColumns(png(2, [255, 0, 0, 255], [255, 255, 0, 255]), {}, 'hall.png')).toBe('0');
  });

  it('has an alpha that counts as brightness with trinary, and means unknown with scale', async () => {
    const half = png(4, grey(0, 0), grey(0, 128), grey(110, 0), grey(110, 255));
    expect(await occupiedColumns(half, {}, 'hall.png')).toBe('0+3');
    expect(await occupiedColumns(half, { mode: 'scale' }, 'hall.png')).toBe('');
    const opaque = png(4, grey(0), grey(0, 254), grey(80));
    expect(await occupiedColumns(opaque, { mode: 'scale' }, 'hall.png')).toBe('0 2');
  });
});

describe('the members of a map file', () => {
  // Occupancy is 1 - brightness / 255.
  const shades = textPgm(0, 88, 89, 90, 204, 255);

  it.each<[Lines, string]>([
    [{}, '0+3'],
    [{ occupied_thresh: '0.66' }, '0'],
    [{ occupied_thresh: '0.1', free_thresh: '0.05' }, '0+5'],
    [{ negate: '1' }, '4+2'],
    [{ negate: 'true', occupied_thresh: '0.9' }, '5'],
    [{ negate: 'false' }, '0+3'],
    [{ mode: 'trinary' }, '0+3'],
    [{ mode: 'scale' }, '0+3'],
    // With raw, brightness is the occupancy in percent; above 100 it means unknown.
    [{ mode: 'raw' }, '1+3'],
    [{ mode: 'raw', occupied_thresh: '0.88' }, '2+2'],
    [{ mode: 'raw', negate: '1' }, '1+3'],
    [{ map_type: 'OccupancyGrid' }, '0+3'],
  ])('decide which cells are walls: %j', async (lines, columns) => {
    expect(await occupiedColumns(shades, lines)).toBe(columns);
  });

  it('place the map: resolution and origin', async () => {
    const { map, name } = await loadScene(
      mapFile(textPgm(0), { resolution: '0.25', origin: '[-3.5, 2, 0.5]' }),
    );
    expect(name).toBe('hall');
    expect(map).toMatchObject({ name: 'hall.yaml', resolution: 0.25, x: -3.5, y: 2, material: 'grey' });
    expect(map?.heading).toBeCloseTo(28.6478898, 7);
  });

  it('unknown cells are no walls', async () => {
    expect(await occupiedColumns(textPgm(205, 0, 205))).toBe('1');
  });
});
