import { expect, test } from 'vitest';
import { BrailleCanvas, terminalPicture } from '../../src/picture/terminal-picture.js';
import { type Beam, frameOfBeams } from './room-frame.js';

test('each of the eight dots of a character has its place', () => {
  const dots = [
    [0, 0, '⠁'],
    [0, 1, '⠂'],
    [0, 2, '⠄'],
    [1, 0, '⠈'],
    [1, 1, '⠐'],
    [1, 2, '⠠'],
    [0, 3, '⡀'],
    [1, 3, '⢀'],
  ] as const;
  for (const [x, y, character] of dots) {
    const canvas = new BrailleCanvas(1, 1);
    canvas.dot(x, y);
    expect(canvas.lines()).toEqual([character]);
  }
});

test('a diagonal goes from the top left to the bottom right', () => {
  const canvas = new BrailleCanvas(4, 2);
  expect([canvas.width, canvas.height]).toEqual([8, 8]);
  for (let at = 0; at < 8; at++) canvas.dot(at, at);
  expect(canvas.lines()).toEqual(['⠑⢄', '  ⠑⢄']);
});

test('points outside the picture, or without a position, are omitted', () => {
  const canvas = new BrailleCanvas(2, 1);
  for (const [x, y] of [
    [-1, 0],
    [4, 0],
    [0, -1],
    [0, 4],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
  ] as const) {
    canvas.dot(x, y);
  }
  expect(canvas.lines()).toEqual(['']);
});

const empty = frameOfBeams([0]);
const columns = 40;
const rows = 20;

/** The cells that differ from those of a frame without echoes. */
function drawFrame(...beams: readonly Beam[]): string[] {
  const [blank, picture] = [empty, frameOfBeams(...beams)].map((frame) =>
    terminalPicture(frame, { columns, rows, range: 4000 }).map((line) => [...line.padEnd(columns)]),
  );
  return (picture ?? []).flatMap((line, row) =>
    line.flatMap((character, column) =>
      character === blank?.[row]?.[column] ? [] : [`${column},${row} ${character}`],
    ),
  );
}

// 80 × 80 dots: the radius is min(78 / 2, 78 / 1.743) = 39 dots, and the scanner stands at (39.5, 45.01).
test('ahead is up, left is at positive angles, and the scanner is a triangle', () => {
  const picture = terminalPicture(empty, { columns, rows, range: 4000 });
  expect(picture).toHaveLength(rows);
  expect(picture[11]?.[19]).toBe('▲');
  // 1.5 m are 14.6 dots.
  expect(drawFrame([0, [1500, 1]])).toEqual(['20,7 ⠄']);
  expect(drawFrame([90, [1500, 1]])).toEqual(['12,11 ⠐']);
  expect(drawFrame([-90, [1500, 1]])).toEqual(['27,11 ⠂']);
});

test('rings have their distances, and echoes out of range are not drawn', () => {
  const text = terminalPicture(empty, { columns, rows, range: 4000 }).join('\n');
  for (const label of ['1 m', '2 m', '3 m', '4 m']) expect(text).toContain(label);
  expect(drawFrame([0, [4001, 1]])).toEqual([]);
});

test('pieces are coloured by their kind', () => {
  const reflecting = { ...frameOfBeams([90, [2000, 1]]), properties: Uint8Array.of(1) };
  const paint = (text: string, ink: string) => `<${ink}:${text}>`;
  const lines = terminalPicture(reflecting, { columns, rows, range: 4000, paint });
  expect(lines[11]).toContain('<reflector:⠂>');
  expect(lines[11]).toContain('<scanner:▲>');
  expect(terminalPicture(frameOfBeams([90, [2000, 1]]), { columns, rows, range: 4000, paint })[11]).toContain(
    '<echo:⠂>',
  );
});

test('a picture fits a terminal of any size', () => {
  for (const [across, down] of [
    [1, 1],
    [3, 200],
    [300, 2],
  ] as const) {
    const picture = terminalPicture(frameOfBeams([0, [10, 1]]), { columns: across, rows: down, range: 1000 });
    expect(picture).toHaveLength(down);
    expect(Math.max(...picture.map((line) => line.length))).toBeLessThanOrEqual(across);
  }
});
