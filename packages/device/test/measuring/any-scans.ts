import { EchoFilter } from '@azimuth/model';
import fc from 'fast-check';
import type { ProcessingSettings } from '../../src/measuring/processing.js';
import { fan } from '../filter/hand-made-scan.js';
import { off } from './filter-settings.js';

const echo = fc.tuple(
  fc.integer({ min: 1, max: 30_000 }),
  fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 65_535 })),
  fc.integer({ min: 0, max: 3 }),
);
/** The echoes of a beam, the nearest first. */
export const beam = fc
  .uniqueArray(echo, { maxLength: 3, selector: ([distance]) => distance })
  .map((echoes) => echoes.toSorted(([a], [b]) => a - b));
const distance = fc.integer({ min: 0, max: 30_000 });
const coordinate = fc.integer({ min: -20_000, max: 20_000 });
const theta = fc.integer({ min: -50_000, max: 200_000 });
/** Any settings of filters and data reduction. */
export const settings: fc.Arbitrary<ProcessingSettings> = fc.record({
  MCSenseLevel: fc.integer({ min: 0, max: 1 }),
  LFPparticle: fc.record({ bEnable: fc.boolean(), uiThreshold: fc.integer({ min: 20, max: 5000 }) }),
  LFPmovingAveragingFilter: fc.record({
    bEnable: fc.boolean(),
    uiAveragingDepth: fc.integer({ min: 2, max: 4 }),
  }),
  FREchoFilter: fc.constantFrom(...Object.values(EchoFilter)),
  LFPradialDistanceRangeFilter: fc.record({
    bEnable: fc.boolean(),
    ulDistMin: distance,
    ulDistMax: distance,
  }),
  LFPcubicareafilter: fc.record({
    bEnable: fc.boolean(),
    lXMin: coordinate,
    lXMax: coordinate,
    lYMin: coordinate,
    lYMax: coordinate,
    lZMin: fc.constant(-20_000),
    lZMax: fc.constant(20_000),
  }),
  LFPangleRangeFilter: fc.record({
    bEnable: fc.boolean(),
    fThetaStart: theta,
    fThetaStop: theta,
    fPhiStart: fc.constant(-900_000),
    fPhiStop: fc.constant(900_000),
    uiBeamIncrement: fc.integer({ min: 1, max: 20 }),
  }),
  LFPintervalFilter: fc.constant(off.LFPintervalFilter),
  EnableLongRangeMode: fc.boolean(),
});
/** Some scans of a few beams, with settings of the filters. */
export const run = fc.integer({ min: 1, max: 14 }).chain((beams) =>
  fc.record({
    geometry: fc.integer({ min: 1, max: 8 }).map((beamsPerSegment) => fan(beams, { beamsPerSegment })),
    settings,
    scans: fc.array(fc.array(beam, { minLength: beams, maxLength: beams }), { minLength: 1, maxLength: 5 }),
  }),
);
