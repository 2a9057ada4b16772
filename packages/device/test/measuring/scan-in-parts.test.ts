import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GatheredSegment } from '../../src/data-reduction/output-segments.js';
import { Processing, type ProcessingSettings } from '../../src/measuring/processing.js';
import type { Scan } from '../../src/scan/scan.js';
import { type Echo, scanOf } from '../filter/hand-made-scan.js';
import { run, settings } from './any-scans.js';
import { off } from './filter-settings.js';

const stamps = { offset: 5, error: 0, scanError: 2 };

/** The values of a segment, which is reused. */
function contentOf(segment: GatheredSegment) {
  const { frame, index, last, beams, echoes, firstBeamTime, lastBeamTime, timeOffset, scale } = segment;
  return {
    ...{ frame, index, last, beams, echoes, firstBeamTime, lastBeamTime, timeOffset, scale },
    distance: [...segment.distance],
    rssi: [...segment.rssi],
    properties: [...segment.properties],
    azimuthCodes: [...segment.azimuthCodes],
  };
}

function scanContentOf({ number, time, distance, rssi, flags, invalid, invalidBeams }: Scan) {
  const arrays = [distance, rssi, flags, invalid].map((values) => [...values]);
  return { number, time, arrays, invalidBeams };
}

/** Marks beams that a test has given an impossible distance. */
function prepare(copy: Scan, first: number, end: number): void {
  for (let beam = first; beam < end; beam++)
    if (copy.distance[3 * beam] === impossible) copy.invalidate(beam);
}

const impossible = 30_001;

/** The filtered scan and its segments, as they come. */
function inOne(steps: Processing, scan: Scan) {
  const filtered = steps.process(scan, prepare);
  if (filtered === undefined) return undefined;
  return { scan: scanContentOf(filtered), segments: steps.segments(filtered, stamps).map(contentOf) };
}

/** The same for a scan that comes in parts, with the number of beams that have come when each segment is known. */
function inParts(steps: Processing, scan: Scan, ends: readonly number[], late: () => void) {
  const filtered = steps.beginParts(scan);
  const segments: ReturnType<typeof contentOf>[] = [];
  const cameWith: number[] = [];
  let first = 0;
  let known = 0;
  for (const end of ends) {
    const before = known;
    known = steps.add(scan, first, end, prepare);
    first = end;
    if (filtered === undefined) continue;
    for (const segment of steps.segments(filtered, stamps, before, known)) {
      segments.push(contentOf(segment));
      cameWith.push(end);
    }
    if (end < scan.geometry.beams) late();
  }
  return filtered === undefined ? undefined : { scan: scanContentOf(filtered), segments, cameWith };
}

const cuts = (beams: number) =>
  fc
    .array(fc.integer({ min: 1, max: beams }), { maxLength: 5 })
    .map((ends) => [...new Set([...ends, beams])].sort((a, b) => a - b));

const runInParts = run.chain((one) =>
  fc.record({
    one: fc.constant(one),
    /** Ends of the parts of each scan; undefined for a whole scan. */
    parts: fc.tuple(...one.scans.map(() => fc.option(cuts(one.geometry.beams), { nil: undefined }))),
    invalid: fc.array(fc.nat({ max: 40 }), { maxLength: 3 }),
    /** Settings that come while a scan is measured, and the scan. */
    changed: fc.option(fc.record({ settings, during: fc.nat({ max: 3 }) }), { nil: undefined }),
  }),
);

type Run = typeof runInParts extends fc.Arbitrary<infer R> ? R : never;

function scansOf({ one, invalid }: Run): Scan[] {
  let beamCount = 0;
  return one.scans.map((beams, number) =>
    scanOf(
      beams.map((echoes): Echo[] => (invalid.includes(beamCount++) ? [[impossible]] : echoes)),
      { number, geometry: one.geometry },
    ),
  );
}

test('a scan in parts gives the same filtered scan and the same segments as a whole scan, whatever the filters', () => {
  fc.assert(
    fc.property(runInParts, (arbitrary) => {
      const { one, parts, changed } = arbitrary;
      const whole = new Processing(one.geometry, one.settings);
      const parted = new Processing(one.geometry, one.settings);
      for (const [at, scan] of scansOf(arbitrary).entries()) {
        const change = (steps: Processing) => {
          if (changed !== undefined && changed.during === at) steps.configure(changed.settings);
        };
        const ends = parts[at];
        const expected = inOne(whole, scan);
        const came =
          ends === undefined ? inOne(parted, scan) : inParts(parted, scan, ends, () => change(parted));
        expect(came?.scan).toEqual(expected?.scan);
        expect(came?.segments).toEqual(expected?.segments);
        change(whole);
        change(parted);
      }
    }),
    { numRuns: 400 },
  );
});

/** Number of later beams that can change a beam. */
function reach({ LFPparticle }: ProcessingSettings): number {
  return LFPparticle.bEnable ? 1 : 0;
}

test('a segment is known with the first part after which no later beam can change it', () => {
  fc.assert(
    fc.property(runInParts, ({ one, parts }) => {
      const steps = new Processing(one.geometry, one.settings);
      const segmentEnds = new Processing(one.geometry, one.settings)
        .segments(scanOf(one.scans[0] ?? [], { geometry: one.geometry }))
        .map(({ end }) => end);
      for (const [at, ends] of parts.entries()) {
        const scan = scanOf(one.scans[at] ?? [], { number: at, geometry: one.geometry });
        if (ends === undefined) {
          steps.process(scan);
          continue;
        }
        const came = inParts(steps, scan, ends, () => undefined);
        if (came === undefined) continue;
        const { beams } = one.geometry;
        const expected = segmentEnds.map((end) =>
          ends.find((part) => part >= Math.min(end + reach(one.settings), beams)),
        );
        expect(came.cameWith).toEqual(expected);
      }
    }),
    { numRuns: 200 },
  );
});

test('the rest of a scan that is not completed counts as invalid for the filters that store scans', () => {
  fc.assert(
    fc.property(runInParts, fc.nat(), (arbitrary, cut) => {
      const { one } = arbitrary;
      const { beams } = one.geometry;
      const whole = new Processing(one.geometry, one.settings);
      const cutOff = new Processing(one.geometry, one.settings);
      const [first, ...others] = scansOf(arbitrary);
      if (first === undefined || beams < 2) return;
      const end = 1 + (cut % (beams - 1));
      whole.process(first, (copy) => {
        prepare(copy, 0, end);
        for (let beam = end; beam < beams; beam++) copy.invalidate(beam);
      });
      cutOff.beginParts(first);
      cutOff.add(first, 0, end, prepare);
      for (const scan of others) expect(inOne(cutOff, scan)).toEqual(inOne(whole, scan));
    }),
    { numRuns: 200 },
  );
});

test('the last complete scan stays as it is while the next ones come in parts, complete or not', () => {
  const geometry = { frequency: 10, firstAngle: 0, step: 1, beams: 4, beamsPerSegment: 2 };
  const scan = (mm: number) =>
    scanOf(
      Array.from({ length: 4 }, (): Echo[] => [[mm]]),
      { number: mm, geometry },
    );
  const steps = new Processing(geometry, off);
  const last = steps.beginParts(scan(1));
  steps.add(scan(1), 0, 4);
  for (const mm of [2, 3]) {
    steps.beginParts(scan(mm));
    steps.add(scan(mm), 0, 3);
  }
  expect(last?.number).toBe(1);
  expect([...(last?.distance ?? [])].filter((mm) => mm > 0)).toEqual([1, 1, 1, 1]);
});

test('a beam outside of the angle range backs its neighbour against the particle filter, also in the part before', () => {
  const geometry = { frequency: 10, firstAngle: 0, step: 1, beams: 4, beamsPerSegment: 4 };
  const scan = (number: number, distances: readonly number[]) =>
    scanOf(
      distances.map((mm): Echo[] => [[mm]]),
      { number, geometry },
    );
  const steps = new Processing(geometry, {
    ...off,
    LFPparticle: { bEnable: true, uiThreshold: 100 },
    LFPangleRangeFilter: {
      ...off.LFPangleRangeFilter,
      bEnable: true,
      fThetaStart: 20_000,
      fThetaStop: 30_000,
    },
  });
  steps.process(scan(1, [5000, 5000, 5000, 5000]));
  const next = scan(2, [5000, 1000, 1000, 5000]);
  const filtered = steps.beginParts(next);
  steps.add(next, 0, 2);
  steps.add(next, 2, 4);
  expect([0, 1, 2, 3].map((beam) => filtered?.distance[3 * beam])).toEqual([0, 0, 1000, 5000]);
});
