import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Processing, type ProcessingSettings } from '../../src/measuring/processing.js';
import type { Scan, ScanGeometry } from '../../src/scan/scan.js';
import { type Echo, echoesOf, scanOf } from '../filter/hand-made-scan.js';
import { run } from './any-scans.js';

describe('any filters together', () => {
  function eachScan(
    {
      geometry,
      settings,
      scans,
    }: { geometry: ScanGeometry; settings: ProcessingSettings; scans: Echo[][][] },
    check: (steps: Processing, scan: Scan, processed: Scan) => void,
  ): void {
    const steps = new Processing(geometry, settings);
    for (const [number, beams] of scans.entries()) {
      const scan = scanOf(beams, { number, geometry });
      const processed = steps.process(scan);
      if (processed !== undefined) check(steps, scan, processed);
    }
  }

  test('leave no gaps, nothing in free places, and the echoes in order', () => {
    fc.assert(
      fc.property(run, (arbitrary) => {
        eachScan(arbitrary, (_, _scan, taken) => {
          const echoes = echoesOf(taken);
          for (const [number, beamEchoes] of echoes.entries()) {
            for (let place = 3 * number + beamEchoes.length; place < 3 * number + 3; place++) {
              expect([taken.distance[place], taken.rssi[place], taken.flags[place]]).toEqual([0, 0, 0]);
            }
            const distances = beamEchoes.map(([d]) => d);
            expect(distances).toEqual(distances.toSorted((a, b) => a - b));
          }
        });
      }),
      { numRuns: 150 },
    );
  });

  test('invent no echo: each was measured by its beam, in this scan or before', () => {
    fc.assert(
      fc.property(run, (arbitrary) => {
        const moves = arbitrary.settings.LFPmovingAveragingFilter.bEnable;
        const seen = arbitrary.scans.map((_, last) =>
          Array.from({ length: arbitrary.geometry.beams }, (_beam, at) =>
            arbitrary.scans.slice(0, last + 1).flatMap((beams) => beams[at] ?? []),
          ),
        );
        eachScan(arbitrary, (_, scan, taken) => {
          const measured = seen[scan.number] ?? [];
          for (const [beamNumber, echoes] of echoesOf(taken).entries()) {
            for (const [mm, rssi, flags] of echoes) {
              const isKnown = (measured[beamNumber] ?? []).some(
                (echo) => (moves || echo[0] === mm) && echo[1] === rssi && echo[2] === flags,
              );
              expect(isKnown).toBe(true);
            }
          }
        });
      }),
      { numRuns: 150 },
    );
  });

  test('put out segments of two beams or more that hold what the scan holds', () => {
    fc.assert(
      fc.property(run, (arbitrary) => {
        eachScan(arbitrary, (steps, _scan, taken) => {
          const segments = steps.segments(taken);
          const beams = echoesOf(taken);
          const { beams: all } = arbitrary.geometry;
          expect(segments.map(({ index }) => index)).toEqual(segments.map((_segment, index) => index));
          for (const segment of segments) {
            expect(segment.last).toBe(segment === segments.at(-1));
            expect(segment.beams).toBeGreaterThanOrEqual(Math.min(all, 2));
            for (const [column, azimuth] of segment.azimuth.entries()) {
              // Beams are 1° apart from 0° on.
              const expected = beams[Math.round((azimuth * 180) / Math.PI)] ?? [];
              const places = Array.from(
                { length: segment.echoes },
                (_place, at) => column * segment.echoes + at,
              );
              expect(places.map((place) => segment.distance[place])).toEqual(
                places.map((_place, at) => expected[at]?.[0] ?? 0),
              );
              expect(places.map((place) => segment.rssi[place])).toEqual(
                places.map((_place, at) => expected[at]?.[1] ?? 0),
              );
            }
          }
        });
      }),
      { numRuns: 100 },
    );
  });
});
