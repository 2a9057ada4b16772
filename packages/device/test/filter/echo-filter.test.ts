import { EchoFilter } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { echoFilterOf, outputEchoes } from '../../src/filter/scan-filter.js';
import { type Echo, echoesOf, filterWhole, scanOf } from './hand-made-scan.js';

const one: Echo[] = [[1000, 1, 1]];
const two: Echo[] = [...one, [2000, 2, 2]];
const three: Echo[] = [...two, [3000, 3, 3]];

describe('the echo filter', () => {
  test('leaves the nearest echo of each beam', () => {
    const scan = scanOf([[], one, two, three]);
    filterWhole(echoFilterOf(EchoFilter.FIRST_ECHO), scan);
    expect(echoesOf(scan)).toEqual([[], [[1000, 1, 1]], [[1000, 1, 1]], [[1000, 1, 1]]]);
  });

  test('leaves the furthest echo of each beam, in the first place', () => {
    const scan = scanOf([[], one, two, three]);
    filterWhole(echoFilterOf(EchoFilter.LAST_ECHO), scan);
    expect(echoesOf(scan)).toEqual([[], [[1000, 1, 1]], [[2000, 2, 2]], [[3000, 3, 3]]]);
  });

  test('is not there where all echoes stay', () => {
    expect(echoFilterOf(EchoFilter.ALL_ECHOS)).toBeUndefined();
  });

  test('defines the places for echoes of a beam', () => {
    expect(outputEchoes(EchoFilter.FIRST_ECHO)).toBe(1);
    expect(outputEchoes(EchoFilter.ALL_ECHOS)).toBe(3);
    expect(outputEchoes(EchoFilter.LAST_ECHO)).toBe(1);
  });
});
