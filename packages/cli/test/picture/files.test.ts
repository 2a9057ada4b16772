import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import type { Drawing } from '../../src/picture/drawing.js';
import { signalColour } from '../../src/picture/drawing.js';
import { encodePng } from '../../src/picture/png.js';
import { polarPicture } from '../../src/picture/polar-picture.js';
import { encodeSvg } from '../../src/picture/svg.js';
import { frameOfBeams } from './room-frame.js';

const ground = [10, 20, 30] as const;
const red = [255, 0, 0] as const;

const drawing = (...pieces: Drawing['pieces'][number][]): Drawing => ({
  title: 'A <picture> & more',
  width: 20,
  height: 20,
  ground,
  pieces,
});

/** Reads a picture again: the colour of each pixel. */
function pixelsOf(bytes: Uint8Array) {
  const png = PNG.sync.read(Buffer.from(bytes));
  return {
    size: [png.width, png.height],
    at: (x: number, y: number) => [
      ...png.data.subarray((y * png.width + x) * 4, (y * png.width + x) * 4 + 4),
    ],
  };
}

describe('a PNG', () => {
  test('has a background, and shapes with soft edges', () => {
    const { size, at } = pixelsOf(
      encodePng(drawing({ kind: 'dot', x: 10, y: 10, radius: 4, colour: red, opacity: 1 })),
    );
    expect(size).toEqual([20, 20]);
    expect(at(0, 0)).toEqual([10, 20, 30, 255]);
    expect(at(10, 10)).toEqual([255, 0, 0, 255]);
    // The middle of pixel (13, 9) is √(3.5² + 0.5²) = 3.54 from the dot's: 0.46 + 0.5 of it are covered.
    expect(at(13, 9)[0]).toBe(Math.round(10 + 245 * (4.5 - Math.sqrt(12.5))));
    expect(at(15, 10)).toEqual([10, 20, 30, 255]);
  });

  test('has lines, boxes, arcs, sectors and areas at the right places', () => {
    const middle = { x: 10, y: 10 };
    const quarter = { from: 0, to: Math.PI / 2 };
    const line = pixelsOf(
      encodePng(drawing({ kind: 'line', x: 2, y: 5.5, toX: 18, toY: 5.5, colour: red, width: 1 })),
    );
    expect([line.at(10, 5), line.at(10, 7)]).toEqual([
      [255, 0, 0, 255],
      [10, 20, 30, 255],
    ]);
    const box = pixelsOf(encodePng(drawing({ kind: 'box', x: 2, y: 3, width: 4, height: 5, colour: red })));
    expect([box.at(2, 3)[0], box.at(5, 7)[0], box.at(6, 7)[0], box.at(5, 8)[0]]).toEqual([255, 255, 10, 10]);
    // Counter-clockwise from straight up: the quarter at the upper left.
    const sector = pixelsOf(
      encodePng(drawing({ kind: 'sector', ...middle, radius: 9, ...quarter, colour: red })),
    );
    expect([sector.at(6, 6)[0], sector.at(13, 6)[0], sector.at(6, 13)[0]]).toEqual([255, 10, 10]);
    const arc = pixelsOf(
      encodePng(drawing({ kind: 'arc', ...middle, radius: 6, ...quarter, colour: red, width: 2 })),
    );
    // (3.5, 9.5) is 6.519 from the middle: 1.5 - 0.519 of it are covered.
    expect([arc.at(3, 9)[0], arc.at(9, 9)[0], arc.at(16, 9)[0]]).toEqual([250, 10, 10]);
    const area = pixelsOf(
      encodePng(drawing({ kind: 'area', ...middle, angles: [0, 1, 2], radii: [9, 9, 0], colour: red })),
    );
    expect([area.at(9, 4)[0], area.at(5, 7)[0], area.at(4, 13)[0], area.at(13, 5)[0]]).toEqual([
      255, 255, 10, 10,
    ]);
  });

  test('is painted quickly for any angles of an area', () => {
    const wild = [1e38, -1e38, Number.POSITIVE_INFINITY, Number.NaN, 3e5, -3e5];
    const angles = [0, 0.5, ...Array.from({ length: 30_000 }, (_, i) => wild[i % wild.length] ?? 0)];
    const area = { kind: 'area', x: 10, y: 10, angles, radii: angles.map(() => 9), colour: red } as const;
    expect(pixelsOf(encodePng(drawing(area))).at(9, 4)[0]).toBe(255);
  });

  test('limits the total width of beams that claim half a turn each', () => {
    // Of the last shape, only a quarter turn to both sides is left; it is thinner than a pixel.
    const shape = (beams: number) => {
      const angles = Array.from({ length: beams }, (_, i) => (i % 2) * Math.PI);
      const radii = angles.map((_, i) => (i === beams - 1 ? 9 : 0));
      return pixelsOf(encodePng(drawing({ kind: 'area', x: 10, y: 10, angles, radii, colour: red })));
    };
    expect([shape(3).at(5, 7)[0], shape(301).at(5, 7)[0]]).toEqual([255, 10]);
  });

  test('has letters, and a question mark for an unknown one', () => {
    const text = (text: string) =>
      encodePng(drawing({ kind: 'text', x: 2, y: 15, text, size: 10, colour: red, anchor: 'start' }));
    const { at } = pixelsOf(text('I'));
    // The stem of the I is the third of five columns.
    expect([at(4, 10)[0], at(2, 10)[0], at(4, 16)[0]]).toEqual([expect.toSatisfy((v) => v > 200), 10, 10]);
    expect(Buffer.compare(Buffer.from(text('語')), Buffer.from(text('?')))).toBe(0);
    expect(Buffer.compare(Buffer.from(text('a')), Buffer.from(text('?')))).not.toBe(0);
  });
});

describe('an SVG', () => {
  test('has an element for each piece', () => {
    const middle = { x: 10, y: 10 };
    const svg = encodeSvg(
      drawing(
        { kind: 'arc', ...middle, radius: 5, from: -Math.PI / 2, to: Math.PI / 2, colour: red, width: 1 },
        { kind: 'arc', ...middle, radius: 5, from: -Math.PI, to: Math.PI, colour: red, width: 1 },
        { kind: 'area', ...middle, angles: [0, Math.PI / 2], radii: [4, 8], colour: red },
        { kind: 'dot', ...middle, radius: 2.345, colour: red, opacity: 0.5 },
        { kind: 'text', ...middle, text: '<Gate> & \u0007', size: 17, colour: red, anchor: 'end' },
      ),
    );
    expect(svg.split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" width="20" height="20">',
      '<title>A &lt;picture&gt; &amp; more</title>',
      '<rect width="20" height="20" fill="#0a141e"/>',
      '<path d="M15 10 A5 5 0 0 0 5 10" fill="none" stroke="#ff0000" stroke-width="1"/>',
      '<circle cx="10" cy="10" r="5" fill="none" stroke="#ff0000" stroke-width="1"/>',
      '<path d="M10 10 L10 6 L2 10 Z" fill="#ff0000"/>',
      '<circle cx="10" cy="10" r="2.35" fill="#ff0000" fill-opacity="0.5"/>',
      '<text x="10" y="10" font-family="sans-serif" font-size="17" fill="#ff0000" text-anchor="end" xml:space="preserve">&lt;Gate&gt; &amp; \ufffd</text>',
      '</svg>',
      '',
    ]);
  });
});

describe('the picture of a frame', () => {
  const frame = {
    ...frameOfBeams([0, [5000, 1000]], [90, [2500, 9000]], [-90, [20_000, 1000]]),
    properties: Uint8Array.of(0, 1, 0),
  };
  const facts = { title: 'Gate 3', time: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)), range: 10_000 };
  const picture = polarPicture(frame, facts);

  test('has points at the echoes, coloured by signal strength, and marks reflectors', () => {
    const dots = picture.pieces.filter((piece) => piece.kind === 'dot').slice(0, 2);
    // 10 m are 500 pixels about (600, 640).
    expect(dots).toMatchObject([
      { x: expect.closeTo(600, 3), y: expect.closeTo(390, 3), colour: signalColour(0) },
      { x: expect.closeTo(475, 3), y: expect.closeTo(640, 3), colour: signalColour(1) },
    ]);
    const mark = picture.pieces.find((piece) => piece.kind === 'arc' && piece.radius === 5.5);
    expect(mark).toMatchObject({ x: expect.closeTo(475, 3), y: expect.closeTo(640, 3) });
  });

  test('has a caption', () => {
    const texts = picture.pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : []));
    for (const text of [
      'Gate 3',
      '2026-01-02 03:04:05 UTC',
      'frame 7  ·  3 beams  ·  3 echoes  ·  nearest 2.500 m at 90.0°  ·  range 10 m',
      '10 m',
      '138°',
      '1000',
      '9000',
      '1 echo of a reflector',
    ]) {
      expect(texts).toContain(text);
    }
  });

  test('shows the scanner white, an echo in its colour, and nothing behind the scanner', () => {
    const { at } = pixelsOf(encodePng(picture));
    expect(at(600, 640)).toEqual([255, 255, 255, 255]);
    expect(at(600, 390)).toEqual([...signalColour(0), 255]);
    expect(at(600, 900)).toEqual([13, 17, 28, 255]);
  });
});
