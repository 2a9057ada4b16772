import { type Evaluation, extensions } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { ObjectSearch } from '../../src/field-evaluation/object-search.js';
import { Scan } from '../../src/index.js';
import { beamFan } from '../../src/scan/scan.js';
import { evaluation } from './field-test-device.js';
import { arc, before, halfTurn, nothing, type Sight, scanOf } from './scripted-core.js';

function searchFor(given: Partial<Evaluation>) {
  const { evaluations } = extensions.members.fields.type.fromJson(
    { evaluations: [evaluation({ Id: 1, ...given })], groups: [] },
    'fields',
  );
  const [whole] = evaluations;
  if (whole === undefined) throw new TypeError('no evaluation');
  return new ObjectSearch(whole, beamFan(halfTurn));
}

function finds(given: Partial<Evaluation>, sight: Sight) {
  return searchFor(given).find(scanOf(new Scan(halfTurn), sight));
}

describe('the contour', () => {
  test.each([
    [999, false],
    [1000, true],
    [2000, true],
    [3000, true],
    [3001, false],
  ])('an echo straight ahead at %d mm: %s', (distance, found) => {
    expect(finds({}, arc(0, 0, distance))).toBe(found);
  });

  test('any echo of a beam counts', () => {
    expect(finds({}, arc(0, 0, 500, 2000, 5000))).toBe(true);
    expect(finds({}, arc(0, 0, 500, 900, 2999))).toBe(true);
    expect(finds({}, arc(0, 0, 500, 900, 5000))).toBe(false);
  });

  test('a concave one counts on both sides of its notch, not in it', () => {
    const towers = [
      { x: 1000, y: -500 },
      { x: 4000, y: -500 },
      { x: 4000, y: 500 },
      { x: 3000, y: 500 },
      { x: 3000, y: -400 },
      { x: 2000, y: -400 },
      { x: 2000, y: 500 },
      { x: 1000, y: 500 },
    ];
    const at = (distance: number) => finds({ Points: towers }, arc(0, 0, distance));
    expect([900, 1500, 2500, 3500, 4500].map(at)).toEqual([false, true, false, true, false]);
  });

  test('gives the position of the nearest object: x ahead, y to the left', () => {
    const search = searchFor({});
    search.find(scanOf(new Scan(halfTurn), arc(10, 10, 2000)));
    expect([search.x, search.y]).toEqual([1970, 347]);
  });

  test('is as high as space, whatever limits it has', () => {
    expect(finds({ LowerZLimit: -100_000, UpperZLimit: 100_000 }, arc(0, 0, 2000))).toBe(true);
  });
});

describe('the size of an object', () => {
  // 2 m away a beam is 34.9 mm wide, and from one to the next it is as far: n beams are about n * 34.9 mm.
  test.each([
    [1, 34, true],
    [1, 35, false],
    [5, 174, true],
    [5, 175, false],
    [6, 200, true],
  ])('%d beams at 2 m, %d mm asked for: %s', (beams, MinimumObjectSize, found) => {
    expect(finds({ MinimumObjectSize }, arc(0, beams - 1, 2000))).toBe(found);
  });

  test('the least size is 200 mm by default', () => {
    const { fields } = extensions.members;
    const { evaluations } = fields.type.fromJson({ evaluations: [{ Id: 1 }], groups: [] }, 'fields');
    expect(evaluations[0]?.MinimumObjectSize).toBe(200);
  });

  test('a way into the depth counts like one across', () => {
    const oblique: Sight = (angle) => (angle === 0 ? [2000] : angle === 1 ? [2300] : []);
    // 302.4 mm from one to the other, and 37.5 mm of one beam.
    expect(finds({ MinimumObjectSize: 339 }, oblique)).toBe(true);
    expect(finds({ MinimumObjectSize: 341 }, oblique)).toBe(false);
  });

  test('one beam that does not hit is bridged, two are not', () => {
    const gap =
      (missing: readonly number[], behind: readonly number[]): Sight =>
      (angle) =>
        missing.includes(angle) ? behind : arc(0, 5, 2000)(angle);
    expect(finds({ MinimumObjectSize: 200 }, gap([2], []))).toBe(true);
    expect(finds({ MinimumObjectSize: 200 }, gap([2], [5000]))).toBe(true);
    expect(finds({ MinimumObjectSize: 200 }, gap([2, 3], []))).toBe(false);
  });

  test('two small ones are not a large one', () => {
    expect(finds({ MinimumObjectSize: 200 }, before(arc(-5, -3, 2000), arc(3, 5, 2000)))).toBe(false);
  });
});

describe('the beams of an object', () => {
  test.each([
    [3, 3, true],
    [3, 4, false],
    [1, 1, true],
  ])('%d that hit, %d asked for: %s', (beams, InfringementThreshold, found) => {
    expect(finds({ InfringementThreshold }, arc(0, beams - 1, 2000))).toBe(found);
  });

  test('one that is bridged does not count', () => {
    const sight: Sight = (angle) => (angle === 1 ? [] : arc(0, 2, 2000)(angle));
    expect(finds({ InfringementThreshold: 2 }, sight)).toBe(true);
    expect(finds({ InfringementThreshold: 3 }, sight)).toBe(false);
  });
});

describe('beams without an echo', () => {
  test('are free, unless missing data is an infringement', () => {
    expect(finds({}, nothing)).toBe(false);
    expect(finds({ TreatMissingDataAsInfringed: true }, nothing)).toBe(true);
    expect(finds({ TreatMissingDataAsInfringed: true }, arc(-90, 90, 5000))).toBe(false);
    expect(finds({ TreatMissingDataAsInfringed: true }, arc(-90, 90, 500))).toBe(false);
  });

  test('count where they cross the field, and nowhere else', () => {
    // The field is seen from -45° to 45°.
    const beside = before(arc(-46, 46, 5000), nothing);
    expect(finds({ TreatMissingDataAsInfringed: true }, beside)).toBe(false);
  });

  test('are reported at the place where they enter the field', () => {
    const search = searchFor({ TreatMissingDataAsInfringed: true });
    const missing: Sight = (angle) => (angle === 0 ? [] : [5000]);
    expect(search.find(scanOf(new Scan(halfTurn), missing))).toBe(true);
    expect([search.x, search.y]).toEqual([1000, 0]);
  });

  test('hide what would fill them at the far end of the field, also around the scanner', () => {
    const around = [
      { x: -1000, y: -3000 },
      { x: 3000, y: -3000 },
      { x: 3000, y: 3000 },
      { x: -1000, y: 3000 },
    ];
    const missing =
      (count: number): Sight =>
      (angle) =>
        angle >= 0 && angle < count ? [] : [9000];
    const given = { Points: around, TreatMissingDataAsInfringed: true, MinimumObjectSize: 200 };
    // 3 m away a beam is 52 mm wide: 4 of them are more than 200 mm.
    expect(finds(given, missing(3))).toBe(false);
    expect(finds(given, missing(4))).toBe(true);
  });
});

describe('an object in front of a field', () => {
  const wall = arc(-90, 90, 600);

  test('means nothing, unless occlusion is an infringement', () => {
    expect(finds({}, wall)).toBe(false);
    expect(finds({ OcclusionHandling: 1 }, wall)).toBe(true);
    expect(finds({ OcclusionHandling: 1 }, arc(-90, 90, 5000))).toBe(false);
    expect(finds({ OcclusionHandling: 1 }, nothing)).toBe(false);
  });

  test('is reported where the field begins', () => {
    const search = searchFor({ OcclusionHandling: 1 });
    expect(search.find(scanOf(new Scan(halfTurn), before(arc(0, 0, 600), arc(-90, 90, 5000))))).toBe(true);
    expect([search.x, search.y]).toEqual([1000, 0]);
  });

  test('hides the part of a field behind a notch', () => {
    const behindNotch = [
      { x: 1000, y: -500 },
      { x: 4000, y: -500 },
      { x: 4000, y: 500 },
      { x: 3000, y: 500 },
      { x: 3000, y: -400 },
      { x: 2000, y: -400 },
      { x: 2000, y: 500 },
      { x: 1000, y: 500 },
    ];
    const search = searchFor({ Points: behindNotch, OcclusionHandling: 1 });
    expect(search.find(scanOf(new Scan(halfTurn), arc(0, 0, 2500)))).toBe(true);
    expect([search.x, search.y]).toEqual([3000, 0]);
  });
});

test('of two objects the nearer one is reported, at its nearest point', () => {
  const search = searchFor({});
  const sight = before(arc(-20, -18, 2500), arc(10, 10, 1600), arc(11, 11, 1500));
  expect(search.find(scanOf(new Scan(halfTurn), sight))).toBe(true);
  const angle = (11 * Math.PI) / 180;
  expect([search.x, search.y]).toEqual([
    Math.round(1500 * Math.cos(angle)),
    Math.round(1500 * Math.sin(angle)),
  ]);
});
