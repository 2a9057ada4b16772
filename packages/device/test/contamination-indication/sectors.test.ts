import { expect, test } from 'vitest';
import { firstBeamOfSector } from '../../src/contamination-indication/sectors.js';

const degrees = { frequency: 10, firstAngle: -138, step: 1, beams: 277, beamsPerSegment: 277 };

/** The first beam of each sector, and the one after the last beam. */
function firstBeams(geometry: Partial<typeof degrees>): number[] {
  return Array.from({ length: 13 }, (_, sector) => firstBeamOfSector(sector, { ...degrees, ...geometry }));
}

test('a sector begins every 23°', () => {
  expect(firstBeams({})).toEqual([0, 23, 46, 69, 92, 115, 138, 161, 184, 207, 230, 253, 277]);
});

test('a sector begins with the beam on its edge, whatever the last bits of its angle say', () => {
  // (-115 + 137.9) / 0.1 is a little more than 229.
  expect(firstBeams({ firstAngle: -137.9, step: 0.1, beams: 2760 }).slice(0, 3)).toEqual([0, 229, 459]);
});

test('a sector begins with the next beam if there is none on its edge', () => {
  expect(firstBeams({ firstAngle: -138, step: 2, beams: 139 }).slice(0, 3)).toEqual([0, 12, 23]);
});

test('sectors have no beams if the core has none', () => {
  // From 0° to 30°: sectors 7 and 8 of the list.
  expect(firstBeams({ firstAngle: 0, beams: 31 })).toEqual([0, 0, 0, 0, 0, 0, 0, 23, 31, 31, 31, 31, 31]);
});
