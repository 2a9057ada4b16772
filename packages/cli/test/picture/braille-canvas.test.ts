import { expect, test } from 'vitest';
import { BrailleCanvas } from '../../src/picture/braille-canvas.js';

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

test('what lies outside, or nowhere, is left out', () => {
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
