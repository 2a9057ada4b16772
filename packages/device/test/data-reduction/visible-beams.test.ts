import { describe, expect, test } from 'vitest';
import { visibleBeams } from '../../src/data-reduction/visible-beams.js';
import { fan } from '../filter/hand-made-scan.js';

const wide = {
  bEnable: true,
  fThetaStart: -1_380_000,
  fThetaStop: 1_380_000,
  fPhiStart: -900_000,
  fPhiStop: 900_000,
  uiBeamIncrement: 1,
};
/** Beams at -2°, -1°, 0°, 1°, 2°. */
const degrees = fan(5, { firstAngle: -2 });
/** Beams at -1°, -2/3°, -1/3°, 0°, 1/3°, 2/3°, 1°. */
const thirds = fan(7, { firstAngle: -1, step: 1 / 3 });
const none = { first: 0, end: 0 };

describe('the angle range', () => {
  test('counts its ends in', () => {
    const range = { ...wide, fThetaStart: -10_000, fThetaStop: 10_000 };
    expect(visibleBeams(degrees, range)).toEqual({ first: 1, end: 4 });
  });

  test.each([
    { fThetaStart: -9998, fThetaStop: 9998, first: 2, end: 3 },
    { fThetaStart: -20_000, fThetaStop: -20_000, first: 0, end: 1 },
    { fThetaStart: 20_000, fThetaStop: 1_380_000, first: 4, end: 5 },
    { fThetaStart: -1_380_000, fThetaStop: 1_380_000, first: 0, end: 5 },
  ])('$fThetaStart to $fThetaStop', ({ fThetaStart, fThetaStop, first, end }) => {
    expect(visibleBeams(degrees, { ...wide, fThetaStart, fThetaStop })).toEqual({ first, end });
  });

  test.each([
    { fThetaStart: -3333, fThetaStop: 3333, first: 2, end: 5 },
    { fThetaStart: -3334, fThetaStop: 3334, first: 2, end: 5 },
    { fThetaStart: -6666, fThetaStop: 6666, first: 1, end: 6 },
    { fThetaStart: -6667, fThetaStop: 6667, first: 1, end: 6 },
    { fThetaStart: 3334, fThetaStop: 6666, first: 4, end: 6 },
    { fThetaStart: -3332, fThetaStop: 3332, first: 3, end: 4 },
    { fThetaStart: 3335, fThetaStop: 10_000, first: 5, end: 7 },
  ])('thirds of a degree: $fThetaStart to $fThetaStop', ({ fThetaStart, fThetaStop, first, end }) => {
    expect(visibleBeams(thirds, { ...wide, fThetaStart, fThetaStop })).toEqual({ first, end });
  });

  test('shows nothing where it starts above its stop, or lies between two beams', () => {
    expect(visibleBeams(degrees, { ...wide, fThetaStart: 10_000, fThetaStop: -10_000 })).toEqual(none);
    expect(visibleBeams(degrees, { ...wide, fThetaStart: 1, fThetaStop: 0 })).toEqual(none);
    expect(visibleBeams(degrees, { ...wide, fThetaStart: 4000, fThetaStop: 6000 })).toEqual(none);
    expect(visibleBeams(degrees, { ...wide, fThetaStart: 30_000 })).toEqual(none);
  });

  test.each([
    { fPhiStart: 0, fPhiStop: 0, shown: true },
    { fPhiStart: 0, fPhiStop: 900_000, shown: true },
    { fPhiStart: -900_000, fPhiStop: 0, shown: true },
    { fPhiStart: 1, fPhiStop: 900_000, shown: false },
    { fPhiStart: -900_000, fPhiStop: -1, shown: false },
    { fPhiStart: 10, fPhiStop: -10, shown: false },
  ])('elevations $fPhiStart to $fPhiStop', ({ shown, ...phi }) => {
    expect(visibleBeams(degrees, { ...wide, ...phi })).toEqual(shown ? { first: 0, end: 5 } : none);
  });

  test('shows everything while it is off', () => {
    const range = { ...wide, bEnable: false, fThetaStart: 10_000, fThetaStop: 0, fPhiStart: 5 };
    expect(visibleBeams(degrees, range)).toEqual({ first: 0, end: 5 });
  });
});
