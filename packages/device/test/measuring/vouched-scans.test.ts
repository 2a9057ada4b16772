import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Processing } from '../../src/measuring/processing.js';
import { markReceived, vouchFor } from '../../src/measuring/vouched-scans.js';
import { roundStrengths, type Scan } from '../../src/scan/scan.js';
import { echoesOf, scanOf } from '../filter/hand-made-scan.js';
import { run } from './any-scans.js';
import { off } from './filter-settings.js';

/** The filtered scan, and what its segments hold. */
function resultOf(steps: Processing, scan: Scan) {
  const filtered = steps.process(scan, (copy, first, end) => roundStrengths(copy, true, first, end));
  if (filtered === undefined) return undefined;
  const segments = steps
    .segments(filtered)
    .map(({ distance, rssi, properties }) => [[...distance], [...rssi], [...properties]]);
  const { distance, rssi, flags } = filtered;
  return { segments, arrays: [[...distance], [...rssi], [...flags]] };
}

test('scans that are vouched for give the same as others, whatever the filters, and however many echoes they have', () => {
  fc.assert(
    fc.property(
      run,
      fc.infiniteStream(fc.integer({ min: 1, max: 3 })),
      ({ geometry, settings, scans }, counts) => {
        const checked = new Processing(geometry, settings);
        const vouched = new Processing(geometry, settings);
        for (const [number, beams] of scans.entries()) {
          const { value: mostEchoes } = counts.next();
          const echoes = beams.map((ofBeam) => ofBeam.slice(0, mostEchoes));
          const scan = scanOf(echoes, { number, geometry });
          const receiver = () => undefined;
          vouchFor(scan, receiver);
          markReceived(scan, receiver);
          scan.mostEchoes = mostEchoes;
          scan.hasFlags = scan.flags.some((flag) => flag !== 0);
          expect(resultOf(vouched, scan)).toEqual(resultOf(checked, scanOf(echoes, { number, geometry })));
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a scan that nobody vouches for keeps all its echoes, whatever it states', () => {
  const beam = [
    [1000, 257],
    [2000, 514],
    [3000, 771, 2],
  ] as const;
  const scan = scanOf([beam, beam]);
  scan.mostEchoes = 1;
  scan.hasFlags = false;
  const steps = new Processing(scan.geometry, off);
  const filtered = steps.process(scan);
  expect(filtered).toMatchObject({ mostEchoes: 3, hasFlags: true });
  expect(echoesOf(filtered ?? scan)).toEqual(
    [1, 2].map(() => [
      [1000, 257, 0],
      [2000, 514, 0],
      [3000, 771, 2],
    ]),
  );
  expect(
    steps.segments(filtered ?? scan).map(({ mostEchoes, properties }) => [mostEchoes, ...properties]),
  ).toEqual([[3, 128, 128]]);
});
