import { describe, expect, test } from 'vitest';
import { removeEchoes } from '../../src/filter/scan-filter.js';
import { type Echo, scanOf } from './hand-made-scan.js';

const near: Echo = [1000, 11, 1];
const middle: Echo = [2000, 22, 2];
const far: Echo = [3000, 33, 3];
const other: Echo = [4000, 44, 1];

describe('taking echoes out of a beam', () => {
  test.each([
    { removed: 0b001, distance: [2000, 3000, 0], rssi: [22, 33, 0], flags: [2, 3, 0] },
    { removed: 0b010, distance: [1000, 3000, 0], rssi: [11, 33, 0], flags: [1, 3, 0] },
    { removed: 0b100, distance: [1000, 2000, 0], rssi: [11, 22, 0], flags: [1, 2, 0] },
    { removed: 0b011, distance: [3000, 0, 0], rssi: [33, 0, 0], flags: [3, 0, 0] },
    { removed: 0b101, distance: [2000, 0, 0], rssi: [22, 0, 0], flags: [2, 0, 0] },
    { removed: 0b110, distance: [1000, 0, 0], rssi: [11, 0, 0], flags: [1, 0, 0] },
    { removed: 0b111, distance: [0, 0, 0], rssi: [0, 0, 0], flags: [0, 0, 0] },
  ])('closes the gaps of %o', ({ removed, distance, rssi, flags }) => {
    const scan = scanOf([[other], [near, middle, far], [other]]);
    removeEchoes(scan, 1, removed);
    expect([...scan.distance]).toEqual([4000, 0, 0, ...distance, 4000, 0, 0]);
    expect([...scan.rssi]).toEqual([44, 0, 0, ...rssi, 44, 0, 0]);
    expect([...scan.flags]).toEqual([1, 0, 0, ...flags, 1, 0, 0]);
  });
});
