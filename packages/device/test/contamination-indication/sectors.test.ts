import { sectorCount } from '@azimuth/model';
import { expect, test } from 'vitest';
import { firstBeamOfSector } from '../../src/contamination-indication/sectors.js';

const degrees = { frequency: 10, firstAngle: -138, step: 1, beams: 277, beamsPerSegment: 277 };

/** The first beam of each sector, and the one after the last beam. */
function firstBeams(geometry: Partial<typeof degrees>): number[] {
  return Array.from({ length: sectorCount + 1 }, (_, sector) =>
    firstBeamOfSector(sector, { ...degrees, ...geometry }),
  );
}

test('there are seven sectors from -138° on, of 276°/7 each', () => {
  // The edges are at -138, -98.57, -59.14, -19.71, 19.71, 59.14, 98.57 and 138°.
  expect(firstBeams({})).toEqual([0, 40, 79, 119, 158, 198, 237, 277]);
});

test('a sector begins with the beam on its edge, whatever the last bits of its angle say', () => {
  // A beam every seventh of 3°: the edges are multiples of 92 beams from -138° on.
  const step = 3 / 7;
  expect(firstBeams({ step, beams: 645 }).slice(0, 4)).toEqual([0, 92, 184, 276]);
  expect(firstBeams({ firstAngle: -138 + step, step, beams: 644 }).slice(0, 4)).toEqual([0, 91, 183, 275]);
});

test('a sector begins with the next beam if there is none on its edge', () => {
  expect(firstBeams({ firstAngle: -138, step: 2, beams: 139 }).slice(0, 3)).toEqual([0, 20, 40]);
});

test('sectors have no beams if the core has none', () => {
  // Sectors 4 and 5 of the list: from 0° to 30°.
  expect(firstBeams({ firstAngle: 0, beams: 31 })).toEqual([0, 0, 0, 0, 20, 31, 31, 31]);
});
