import {
  EchoFlag,
  echoesPerBeam,
  geometryOf,
  type MeasuringOrder,
  Scan,
  type ScanGeometry,
} from '@azimuth/device';
import { performanceProfiles, SensitivityMode, sectorCount, sectorEdge } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { FrontScreen } from '../src/virtual-hardware.js';

/** 1° apart from -138° to 138°: 39 or 40 beams a sector. */
const degrees = { frequency: 10, firstAngle: -138, step: 1, beams: 277, beamsPerSegment: 277 };

/** An echo: distance, RSSI, flags. */
type Echo = readonly [distance: number, rssi: number, flags?: number];

function scanOf(beams: readonly (readonly Echo[])[], { geometry }: { geometry: ScanGeometry }): Scan {
  const scan = new Scan(geometry);
  for (const [beam, echoes] of beams.entries()) {
    for (const [echo, [distance, rssi, flags = 0]] of echoes.entries()) {
      const place = beam * echoesPerBeam + echo;
      scan.distance[place] = distance;
      scan.rssi[place] = rssi;
      scan.flags[place] = flags;
    }
  }
  return scan;
}

/** The echoes of each beam. */
function echoesOf({ geometry, distance, rssi, flags }: Scan): number[][][] {
  return Array.from({ length: geometry.beams }, (_, beam) =>
    [0, 1, 2]
      .map((echo) => beam * echoesPerBeam + echo)
      .filter((place) => distance[place] !== 0)
      .map((place) => [distance[place] ?? 0, rssi[place] ?? 0, flags[place] ?? 0]),
  );
}

/** A scan with one strong echo in every beam. */
function brightScan(geometry: ScanGeometry = degrees): Scan {
  return scanOf(
    Array.from({ length: geometry.beams }, () => [[5000, 60_000]]),
    { geometry },
  );
}

/** A screen with dirt that absorbs these shares of light, by sector; the others are clean. */
function screenWithDirt(levels: Readonly<Record<number, number>>): FrontScreen {
  return new FrontScreen({
    contamination: () => Array.from({ length: sectorCount }, (_, sector) => levels[sector] ?? 0),
  });
}

function weaken(
  screen: FrontScreen,
  scan: Scan,
  sensitivity: MeasuringOrder['sensitivity'] = SensitivityMode.STANDARD,
): void {
  screen.weaken(scan, sensitivity);
}

/** Returns the first and the last beam whose echo is weakened. */
function weakenedBeams(scan: Scan): [number, number] {
  const weaker = [...scan.rssi.keys()].filter((place) => place % 3 === 0 && scan.rssi[place] !== 60_000);
  return [(weaker[0] ?? -3) / 3, (weaker.at(-1) ?? -3) / 3];
}

describe('dirt on the front screen', () => {
  test('weakens light on its way there and back', () => {
    const screen = screenWithDirt({ 0: 0.1, 1: 0.5 });
    const scan = brightScan();
    weaken(screen, scan);
    // 60 000 * 0.9² and, one sector on, * 0.5².
    expect([0, 39, 40, 78, 79].map((beam) => echoesOf(scan)[beam])).toEqual([
      [[5000, 48_600, 0]],
      [[5000, 48_600, 0]],
      [[5000, 15_000, 0]],
      [[5000, 15_000, 0]],
      [[5000, 60_000, 0]],
    ]);
  });

  test.each([
    [0, 0, 39],
    [1, 40, 78],
    [3, 119, 157],
    [6, 237, 276],
  ])('in sector %d lies before the beams %d to %d', (sector, first, last) => {
    const screen = screenWithDirt({ [sector]: 0.3 });
    const scan = brightScan();
    weaken(screen, scan);
    expect(weakenedBeams(scan)).toEqual([first, last]);
  });

  test('lies right with every performance profile', () => {
    // The fourth sector has the beam straight ahead in its middle.
    const screen = screenWithDirt({ 3: 0.3 });
    for (const profile of Object.values(performanceProfiles)) {
      const geometry = geometryOf(profile);
      const scan = brightScan(geometry);
      weaken(screen, scan);
      const [first, last] = weakenedBeams(scan).map((beam) => geometry.firstAngle + beam * geometry.step);
      const inside = (angle = Number.NaN) => angle >= sectorEdge(3) && angle < sectorEdge(4);
      expect([inside(first), inside(last)]).toEqual([true, true]);
      expect([inside((first ?? 0) - geometry.step), inside((last ?? 0) + geometry.step)]).toEqual([
        false,
        false,
      ]);
      expect((first ?? 0) + (last ?? 0)).toBeCloseTo(0, 6);
    }
  });

  test('lies before the beams that a core has, however many', () => {
    const screen = screenWithDirt({ 0: 0.3, 6: 0.3 });
    const wide = brightScan({ ...degrees, firstAngle: -180, beams: 361 });
    weaken(screen, wide);
    // The first sector ends at -98.6°, the last begins at 98.6°.
    const strengths = [0, 81, 82, 278, 279, 360].map((beam) => wide.rssi[3 * beam]);
    expect(strengths).toEqual([29_400, 29_400, 60_000, 60_000, 29_400, 29_400]);
    const narrow = brightScan({ ...degrees, firstAngle: -10, beams: 21 });
    weaken(screen, narrow);
    expect(weakenedBeams(narrow)).toEqual([-1, -1]);
  });

  test.each([
    ['MAXIMUM_ROBUSTNESS', SensitivityMode.MAXIMUM_ROBUSTNESS, 900],
    ['STANDARD', SensitivityMode.STANDARD, 500],
    ['MAXIMUM_DETECTIVITY', SensitivityMode.MAXIMUM_DETECTIVITY, 300],
  ])('hides what is weaker then than %s detects', (_, mode, threshold) => {
    const screen = screenWithDirt({ 3: 0.5 });
    // At 0°, in the fourth sector; a quarter of the light comes back.
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
    weaken(screen, scan, mode);
    expect(echoesOf(scan)).toEqual([
      [
        [2000, threshold, EchoFlag.blooming],
        [3000, 15_000, 0],
      ],
    ]);
    expect([...scan.distance]).toEqual([2000, 3000, 0]);
  });

  test('hides everything from 0.95 on, where a sector is blocked', () => {
    const screen = screenWithDirt({ 0: 0.93, 1: 0.95, 2: 1 });
    const scan = scanOf(
      Array.from({ length: 277 }, () => [[5000, 65_535]]),
      { geometry: degrees },
    );
    weaken(screen, scan, SensitivityMode.MAXIMUM_DETECTIVITY);
    const edges = [0, 40, 79, 119, 158];
    const sectors = [0, 1, 2, 3].map((sector) => echoesOf(scan).slice(edges[sector], edges[sector + 1]));
    // 65 535 * 0.07² = 321 is detected, 65 535 * 0.05² = 164 is not.
    expect(sectors.map((beams) => new Set(beams.map((echoes) => echoes[0]?.[1])))).toEqual([
      new Set([321]),
      new Set([undefined]),
      new Set([undefined]),
      new Set([65_535]),
    ]);
    expect(scan.rssi.subarray(3 * 40, 3 * 119).every((rssi) => rssi === 0)).toBe(true);
  });

  test('goes when it is wiped off', () => {
    let dirt: Readonly<Record<number, number>> = { 0: 0.5 };
    const screen = new FrontScreen({
      contamination: () => Array.from({ length: sectorCount }, (_, sector) => dirt[sector] ?? 0),
    });
    const scan = brightScan();
    weaken(screen, scan);
    expect(weakenedBeams(scan)).toEqual([0, 39]);
    dirt = {};
    const clear = brightScan();
    weaken(screen, clear);
    expect(weakenedBeams(clear)).toEqual([-1, -1]);
  });

  test('touches nothing of a scan while there is none, be it ever so weak', () => {
    const screen = new FrontScreen();
    const scan = scanOf([[[1000, 1]]], { geometry: { ...degrees, beams: 1 } });
    weaken(screen, scan);
    expect(echoesOf(scan)).toEqual([[[1000, 1, 0]]]);
  });
});
