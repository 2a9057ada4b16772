import { basicSettings, performanceProfiles, SensitivityMode } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { EchoFlag, geometryOf, type Scan } from '../../src/index.js';
import { echoesOf, scanOf } from '../filter/hand-made-scan.js';
import { ContaminationTestDevice } from './contamination-test-device.js';

/** 1° apart from -138° to 138°: 23 beams a sector, and one at the end. */
const degrees = { frequency: 10, firstAngle: -138, step: 1, beams: 277, beamsPerSegment: 277 };

/** A scan with one strong echo in every beam. */
function brightScan(geometry = degrees): Scan {
  return scanOf(
    Array.from({ length: geometry.beams }, () => [[5000, 60_000]]),
    { geometry },
  );
}

/** The first and the last beam that sees less than everything. */
function touched(scan: Scan): [number, number] {
  const weaker = [...scan.rssi.keys()].filter((place) => place % 3 === 0 && scan.rssi[place] !== 60_000);
  return [(weaker[0] ?? -3) / 3, (weaker.at(-1) ?? -3) / 3];
}

describe('dirt on the front screen', () => {
  test('weakens light on its way there and back', () => {
    const testDevice = new ContaminationTestDevice();
    testDevice.soil({ 0: 0.1, 1: 0.5 });
    const scan = brightScan();
    testDevice.contamination.apply(scan);
    // 60 000 * 0.9² and, one sector on, * 0.5².
    expect([0, 22, 23, 45, 46].map((beam) => echoesOf(scan)[beam])).toEqual([
      [[5000, 48_600, 0]],
      [[5000, 48_600, 0]],
      [[5000, 15_000, 0]],
      [[5000, 15_000, 0]],
      [[5000, 60_000, 0]],
    ]);
  });

  test.each([
    [0, 0, 22],
    [1, 23, 45],
    [6, 138, 160],
    [11, 253, 276],
  ])('in sector %d lies before the beams %d to %d', (sector, first, last) => {
    const testDevice = new ContaminationTestDevice();
    testDevice.soil({ [sector]: 0.3 });
    const scan = brightScan();
    testDevice.contamination.apply(scan);
    expect(touched(scan)).toEqual([first, last]);
  });

  test('lies right with every performance profile', () => {
    const testDevice = new ContaminationTestDevice();
    // Sector 6 is from 0° to 23°, without the beam at 23°.
    testDevice.soil({ 6: 0.3 });
    for (const profile of Object.values(performanceProfiles)) {
      const geometry = geometryOf(profile);
      const scan = brightScan(geometry);
      testDevice.contamination.apply(scan);
      const perDegree = Math.round(1 / geometry.step);
      expect(touched(scan)).toEqual([138 * perDegree, 161 * perDegree - 1]);
    }
  });

  test('lies before the beams that a core has, however many', () => {
    const testDevice = new ContaminationTestDevice();
    testDevice.soil({ 0: 0.3, 11: 0.3 });
    const wide = brightScan({ ...degrees, firstAngle: -180, beams: 361 });
    testDevice.contamination.apply(wide);
    // Sector 0 ends before -115°, sector 11 begins at 115°.
    const strengths = [0, 64, 65, 294, 295, 360].map((beam) => wide.rssi[3 * beam]);
    expect(strengths).toEqual([29_400, 29_400, 60_000, 60_000, 29_400, 29_400]);
    const narrow = brightScan({ ...degrees, firstAngle: -10, beams: 21 });
    testDevice.contamination.apply(narrow);
    expect(touched(narrow)).toEqual([-1, -1]);
  });

  test.each([
    ['MAXIMUM_ROBUSTNESS', SensitivityMode.MAXIMUM_ROBUSTNESS, 900],
    ['STANDARD', SensitivityMode.STANDARD, 500],
    ['MAXIMUM_DETECTIVITY', SensitivityMode.MAXIMUM_DETECTIVITY, 300],
  ])('hides what is weaker then than %s detects', (_, mode, threshold) => {
    const testDevice = new ContaminationTestDevice();
    testDevice.soil({ 6: 0.5 });
    testDevice.parameters.change((change) => change.set(basicSettings.members.SensitivityMode, mode));
    // At 0°, where sector 6 begins; a quarter of the light comes back.
    const scan = scanOf(
      [
        [
          [1000, 4 * threshold - 1, EchoFlag.reflector],
          [2000, 4 * threshold, EchoFlag.blooming],
          [3000, 60_000],
        ],
      ],
      { geometry: { ...degrees, firstAngle: 0, beams: 1 } },
    );
    testDevice.contamination.apply(scan);
    expect(echoesOf(scan)).toEqual([
      [
        [2000, threshold, EchoFlag.blooming],
        [3000, 15_000, 0],
      ],
    ]);
    expect([...scan.distance]).toEqual([2000, 3000, 0]);
  });

  test('hides everything from 0.95 on, where a sector is blocked', () => {
    const testDevice = new ContaminationTestDevice();
    testDevice.parameters.change((change) =>
      change.set(basicSettings.members.SensitivityMode, SensitivityMode.MAXIMUM_DETECTIVITY),
    );
    testDevice.soil({ 0: 0.93, 1: 0.95, 2: 1 });
    const scan = scanOf(
      Array.from({ length: 277 }, () => [[5000, 65_535]]),
      { geometry: degrees },
    );
    testDevice.contamination.apply(scan);
    const sectors = [0, 1, 2, 3].map((sector) => echoesOf(scan).slice(23 * sector, 23 * (sector + 1)));
    // 65 535 * 0.07² = 321 is detected, 65 535 * 0.05² = 164 is not.
    expect(sectors.map((beams) => new Set(beams.map((echoes) => echoes[0]?.[1])))).toEqual([
      new Set([321]),
      new Set([undefined]),
      new Set([undefined]),
      new Set([65_535]),
    ]);
    expect(scan.rssi.subarray(3 * 23, 9 * 23).every((rssi) => rssi === 0)).toBe(true);
  });

  test('is there whether it is indicated or not, and goes when it is wiped off', () => {
    const testDevice = new ContaminationTestDevice({}, []);
    testDevice.soil({ 0: 0.5 });
    const scan = brightScan();
    testDevice.contamination.apply(scan);
    expect(touched(scan)).toEqual([0, 22]);
    testDevice.soil({});
    const clear = brightScan();
    testDevice.contamination.apply(clear);
    expect(touched(clear)).toEqual([-1, -1]);
  });

  test('touches nothing of a scan while there is none, be it ever so weak', () => {
    const testDevice = new ContaminationTestDevice();
    const scan = scanOf([[[1000, 1]]], { geometry: { ...degrees, beams: 1 } });
    testDevice.contamination.apply(scan);
    expect(echoesOf(scan)).toEqual([[[1000, 1, 0]]]);
  });

  test.each([
    [
      [Number.NaN, -1],
      [60_000, 60_000, 60_000],
    ],
    [[0.5], [15_000, 60_000, 60_000]],
    [[], [60_000, 60_000, 60_000]],
    [
      [2, Number.POSITIVE_INFINITY],
      [0, 0, 60_000],
    ],
  ])('counts a level of %j as the nearest share that there is', (levels, strengths) => {
    const testDevice = new ContaminationTestDevice();
    testDevice.tell(levels);
    const scan = brightScan();
    testDevice.contamination.apply(scan);
    expect([0, 23, 46].map((beam) => scan.rssi[3 * beam])).toEqual(strengths);
  });
});
