import { Scan, type ScanGeometry, VirtualClock } from '@azimuth/device';
import { checkedPlan, faultGroups } from '@azimuth/model/faults';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Occurrence, occurrencesOf } from '../../src/faults/occurrence.js';
import { PlannedScanFaults, RepeatedEchoes, scanKinds } from '../../src/faults/scan-faults.js';
import { StampErrors } from '../../src/faults/stamp-errors.js';
import { faultRandomNumbers } from '../../src/random-numbers.js';
import { ReplayCore } from '../../src/replay/index.js';
import { recordingOf, small, turn } from '../replay/recordings.js';

const geometry: ScanGeometry = { frequency: 10, firstAngle: -20, step: 1, beams: 40, beamsPerSegment: 10 };
const furthest = 65_535;

/** Every kind of fault with an occasion at each scan. */
const faults = [
  { kind: 'scan-stuck', every: 3 },
  { kind: 'scan-swapped', after: 1 },
  { kind: 'scan-rotated', beams: -7 },
  { kind: 'scan-rotated', degrees: 3, every: 2 },
  { kind: 'scan-bias', offset: -900, scale: 2 },
  { kind: 'range-noise', deviation: 700 },
  { kind: 'sector-blind', from: -3, to: 4, probability: 0.5 },
  { kind: 'stamp-jitter', jitter: 10 },
];

function planned() {
  const clock = new VirtualClock();
  const occurrences = checkedPlan({ faults }).faults.map(
    (fault, index) => new Occurrence(fault, clock, faultRandomNumbers(5, String(index))),
  );
  const stamps = new StampErrors();
  const disturbing = new PlannedScanFaults(
    occurrencesOf(occurrences, scanKinds) ?? [],
    new RepeatedEchoes(),
    stamps,
  );
  return { disturbing, stamps };
}

/** Fills a scan with up to three echoes for each beam. */
function measure(scan: Scan, number: number): void {
  scan.number = number;
  scan.time = number * 100_000;
  for (let beam = 0; beam < scan.geometry.beams; beam++) {
    scan.clear(beam, beam + 1);
    for (let echo = 0; echo < (beam + number) % 4; echo++) {
      scan.distance[3 * beam + echo] = 500 + 300 * echo + 10 * beam + number;
      scan.rssi[3 * beam + echo] = 1000 + echo;
      scan.flags[3 * beam + echo] = echo & 1;
    }
  }
}

const contentOf = ({ number, time, distance, rssi, flags }: Scan) => ({
  ...{ number, time },
  values: [distance, rssi, flags].map((array) => [...array]),
});

/** The disturbed scans and their errors of stamps, if each scan comes in these parts. */
function disturbed(scans: readonly (readonly number[])[]) {
  const { disturbing, stamps } = planned();
  const core = new Scan(geometry);
  return scans.map((ends, index) => {
    measure(core, index + 1);
    let first = 0;
    let done = 0;
    let copy = new Scan(geometry);
    for (const end of [...ends, geometry.beams]) {
      const { scan, beams } = disturbing.disturbed({ scan: core, beams: { first, end } }, furthest);
      expect(beams.first).toBe(done);
      expect(beams.end).toBeGreaterThanOrEqual(beams.first);
      copy.begin(scan);
      copy.copyBeams(scan, beams.first, beams.end);
      // A core may overwrite what it has passed.
      for (let place = 3 * first; place < 3 * end; place++) core.distance[place] = 1;
      done = beams.end;
      first = end;
    }
    expect(done).toBe(geometry.beams);
    const content = { ...contentOf(copy), stamp: stamps.scanError(core) };
    copy = new Scan(geometry);
    return content;
  });
}

test('a scan in any parts is disturbed as a whole one is', () => {
  const part = fc
    .array(fc.integer({ min: 1, max: geometry.beams - 1 }), { maxLength: 6 })
    .map((ends) => [...new Set(ends)].sort((one, other) => one - other));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (scans) => {
      expect(disturbed(scans)).toEqual(disturbed(scans.map(() => [])));
    }),
    { numRuns: 60 },
  );
});

test('echoes stay in the order of their distances, without gaps', () => {
  for (const { values } of disturbed(Array.from({ length: 30 }, () => []))) {
    const [distance = [], rssi = []] = values;
    for (let first = 0; first < distance.length; first += 3) {
      const echoes = distance.slice(first, first + 3).filter((one) => one > 0);
      expect(distance.slice(first, first + echoes.length)).toEqual(
        echoes.toSorted((one, other) => one - other),
      );
      expect(rssi.slice(first, first + 3).filter((one) => one > 0)).toHaveLength(echoes.length);
    }
  }
});

test('every kind with an occasion at each scan acts on scans', () => {
  const declared = Object.entries(faultGroups.Measuring).filter(([, { occasion }]) => occasion === 'scan');
  expect(Object.keys(scanKinds).sort()).toEqual(declared.map(([kind]) => kind).sort());
});

test('an error of a stamp never makes it negative', () => {
  const stamps = new StampErrors();
  stamps.setScanError({ number: 1, time: 1000.7 }, -5000);
  stamps.setScanError({ number: 2, time: 1_000_000 }, -5000.4);
  expect([1, 2, 3].map((number) => stamps.scanError({ number }))).toEqual([-1000, -5000, 0]);
});

test('a recording has the faults of scans, too', async () => {
  const recording = recordingOf(...turn(0), ...turn(1), ...turn(2));
  const { service, clock } = await TestScanner.start({
    core: new ReplayCore(recording),
    faults: { faults: [{ kind: 'sector-blind', from: 0, to: 2 }] },
  });
  const seen: number[][] = [];
  service.device.features.measuring.watch({
    scan: ({ distance }) => seen.push([...distance.filter((_, place) => place % 3 === 0)]),
  });
  clock.advance(1000);
  expect(seen.length).toBeGreaterThan(1);
  for (const distances of seen) {
    const blind = distances.flatMap((distance, beam) => (distance === 0 ? [small.first + beam] : []));
    expect(blind).toEqual([0, 1, 2]);
  }
});
