import { allVariables, EchoFilter, performanceProfiles } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { Processing, type ProcessingSettings, processingVariables } from '../../src/measuring/processing.js';
import { geometryOf, type Scan, type ScanGeometry } from '../../src/scan/scan.js';
import { distancesOf, type Echo, echoesOf, fan, scanOf } from '../filter/hand-made-scan.js';
import { off } from './filter-settings.js';

const fog = { MCSenseLevel: 1 };
const particle = (uiThreshold: number) => ({ LFPparticle: { bEnable: true, uiThreshold } });
const average = (uiAveragingDepth: number) => ({
  LFPmovingAveragingFilter: { bEnable: true, uiAveragingDepth },
});
const first = { FREchoFilter: EchoFilter.FIRST_ECHO };
const last = { FREchoFilter: EchoFilter.LAST_ECHO };
const radial = (ulDistMin: number, ulDistMax: number) => ({
  LFPradialDistanceRangeFilter: { bEnable: true, ulDistMin, ulDistMax },
});
const cuboid = (sides: Partial<ProcessingSettings['LFPcubicareafilter']> = {}) => ({
  LFPcubicareafilter: { ...off.LFPcubicareafilter, bEnable: true, ...sides },
});
const angles = (range: Partial<ProcessingSettings['LFPangleRangeFilter']>) => ({
  LFPangleRangeFilter: { ...off.LFPangleRangeFilter, bEnable: true, ...range },
});

function processing(geometry: ScanGeometry, settings: Partial<ProcessingSettings> = {}): Processing {
  return new Processing(geometry, { ...off, ...settings });
}

/** The filtered scan, if there is one. */
function processed(steps: Processing, scan: Scan): Scan {
  const filtered = steps.process(scan);
  if (filtered === undefined) throw new TypeError('the average has too few scans');
  return filtered;
}

/** The result for the last one of these scans, whose numbers follow each other. */
function left(
  settings: Partial<ProcessingSettings>,
  ...scans: readonly (readonly (readonly Echo[])[])[]
): number[][] {
  const steps = processing(fan(scans[0]?.length ?? 0), settings);
  let distances: number[][] = [];
  for (const [index, beams] of scans.entries()) {
    const filtered = steps.process(scanOf(beams, { number: index + 1 }));
    if (filtered !== undefined) distances = distancesOf(filtered);
  }
  return distances;
}

describe('the settings', () => {
  test('are read from nine variables', () => {
    expect(processingVariables.map(({ name }) => name).sort()).toEqual([
      'EnableLongRangeMode',
      'FREchoFilter',
      'LFPangleRangeFilter',
      'LFPcubicareafilter',
      'LFPintervalFilter',
      'LFPmovingAveragingFilter',
      'LFPparticle',
      'LFPradialDistanceRangeFilter',
      'MCSenseLevel',
    ]);
    for (const variable of processingVariables) expect(allVariables).toContain(variable);
  });

  test('are the defaults where a release lacks a variable', () => {
    expect(off.LFPparticle).toEqual({ bEnable: false, uiThreshold: 500 });
    expect(off.FREchoFilter).toBe(EchoFilter.ALL_ECHOS);
  });
});

describe('a scan', () => {
  const beams: Echo[][] = [
    [
      [500, 1, 1],
      [1500, 2, 2],
      [2500, 3, 3],
    ],
    [],
    [[150_000, 1, 0]],
  ];

  test('is not changed while every filter is off', () => {
    const scan = scanOf(beams, { number: 12 });
    scan.time = 34.5;
    const filtered = processed(processing(fan(3)), scan);
    expect(filtered).toMatchObject({ number: 12, time: 34.5 });
    expect(echoesOf(filtered)).toEqual(beams);
  });

  test('is copied: the scan of the core is not changed', () => {
    const scan = scanOf(beams);
    const filtered = processed(processing(fan(3), radial(1000, 200_000)), scan);
    expect(filtered).not.toBe(scan);
    expect(distancesOf(filtered)).toEqual([[1500, 2500], [], [150_000]]);
    expect(echoesOf(scan)).toEqual(beams);
  });

  test('is always handed out in the same arrays', () => {
    const steps = processing(fan(3));
    expect(steps.process(scanOf(beams))).toBe(steps.process(scanOf([[], [], []])));
    expect(distancesOf(processed(steps, scanOf([[], [], []])))).toEqual([[], [], []]);
  });
});

interface Case {
  readonly name: string;
  readonly on: Partial<ProcessingSettings>;
  readonly beams: readonly (readonly Echo[])[];
}

describe('each filter', () => {
  const cases: readonly Case[] = [
    { name: 'fog', on: fog, beams: [[[900, 100], [5000]], [[5000]]] },
    { name: 'echo', on: last, beams: [[[900], [5000]], [[5000]]] },
    { name: 'radial', on: radial(1000, 5000), beams: [[[900], [5000]], [[5000]]] },
    { name: 'cuboid', on: cuboid({ lXMin: 1000 }), beams: [[[900], [5000]], [[5000]]] },
  ];

  test.each(cases)('$name acts while it is on, and only then', ({ on, beams }) => {
    expect(left({}, beams)).toEqual([[900, 5000], [5000]]);
    expect(left(on, beams)).toEqual([[5000], [5000]]);
  });

  test('angle range acts while it is on, and only then', () => {
    const range = { fThetaStart: 10_000, fThetaStop: 20_000 };
    const beams: Echo[][] = [[[1000]], [[2000]], [[3000]], [[4000]]];
    expect(left(angles(range), beams)).toEqual([[], [2000], [3000], []]);
    expect(left(angles({ ...range, bEnable: false }), beams)).toEqual([[1000], [2000], [3000], [4000]]);
  });

  test('moving average acts while it is on, and only then', () => {
    expect(left({}, [[[1000]]], [[[2000]]])).toEqual([[2000]]);
    expect(left(average(2), [[[1000]]], [[[2000]]])).toEqual([[1500]]);
  });

  test('FIRST_ECHO leaves the nearest', () => {
    expect(left(first, [[[900], [5000]], [[5000]]])).toEqual([[900], [5000]]);
  });

  test('particle acts while it is on, and only then', () => {
    const scans: Echo[][][] = [
      [[[5000]], [[5000]]],
      [[[900], [5000]], [[5000]]],
    ];
    expect(left({}, ...scans)).toEqual([[900, 5000], [5000]]);
    expect(left(particle(500), ...scans)).toEqual([[5000], [5000]]);
  });
});

// Each result would differ in the other order of the two filters.
describe('the order of the filters', () => {
  test('fog before particles: an echo of fog does not keep one of dust', () => {
    const before: Echo[][] = [[[6000]], [[6000]], [[6000]]];
    const beams: Echo[][] = [[[1000]], [[1050, 100], [6000]], [[6000]]];
    expect(left({ ...fog, ...particle(100) }, before, beams)).toEqual([[6000], [6000], [6000]]);
  });

  test('fog before the choice of an echo: what is seen through fog is the first echo', () => {
    expect(left({ ...fog, ...first }, [[[1000, 100], [6000]]])).toEqual([[6000]]);
  });

  test('the choice of an echo before particles: an echo that is not chosen keeps none', () => {
    const scans: Echo[][][] = [
      [[[5000]], [[5000]]],
      [[[900]], [[1000], [5000]]],
    ];
    expect(left({ ...last, ...particle(200) }, ...scans)).toEqual([[5000], [5000]]);
  });

  test('particles before the mean: a particle is found by its own distance', () => {
    const settings = { ...particle(1500), ...average(2) };
    const wall: Echo[][] = [[[1000]], [[1000]], [[1000]], [[1000]], [[1000]]];
    // The mean of the middle beam, 2000, would be near enough to its neighbours.
    expect(left(settings, wall, wall.with(2, [[3000]]))).toEqual([[1000], [1000], [1000], [1000], [1000]]);
  });

  test('the choice of an echo before the mean: choices are averaged, not places', () => {
    expect(left({ ...average(2), ...last }, [[[1000], [5000]]], [[[2000]]])).toEqual([[3500]]);
  });

  test('the choice of an echo before the radial distance: no other echo replaces it', () => {
    expect(left({ ...first, ...radial(1000, 9000) }, [[[500], [1500]]])).toEqual([[]]);
  });

  test('the choice of an echo before the cuboid', () => {
    expect(left({ ...first, ...cuboid({ lXMin: 1000 }) }, [[[500], [1500]]])).toEqual([[]]);
  });

  test('the mean before the radial distance and the cuboid: they cut what is averaged', () => {
    expect(left({ ...average(2), ...radial(0, 2000) }, [[[1000]]], [[[3000]]])).toEqual([[2000]]);
    expect(left({ ...average(2), ...cuboid({ lXMax: 2000 }) }, [[[1000]]], [[[3000]]])).toEqual([[2000]]);
  });

  test('particles before the angle range: echoes of hidden beams count as neighbours', () => {
    const settings = { ...particle(100), ...angles({ fThetaStart: 10_000 }) };
    const before: Echo[][] = [[], [], []];
    expect(left(settings, before, [[[5000]], [[5000]], [[9000]]])).toEqual([[], [5000], []]);
  });
});

describe('the interval', () => {
  test('decides which scans are put out; the filters get all', () => {
    const steps = processing(fan(1), {
      ...average(3),
      LFPintervalFilter: { bEnable: true, uiReductionFactor: 3 },
    });
    expect([6, 7, 8, 9].map((number) => steps.isOutput(number))).toEqual([true, false, false, true]);
    for (const number of [7, 8]) steps.process(scanOf([[[number * 100]]], { number }));
    expect(distancesOf(processed(steps, scanOf([[[900]]], { number: 9 })))).toEqual([[800]]);
  });

  test('with an average of the same depth, each scan is in one average that is put out', () => {
    const steps = processing(fan(1), {
      ...average(3),
      LFPintervalFilter: { bEnable: true, uiReductionFactor: 3 },
    });
    const blocks: (readonly [number: number, distances: number[] | undefined])[] = [];
    for (let number = 1; number <= 12; number++) {
      const scan = steps.process(scanOf([[[number * 100]]], { number }));
      if (scan !== undefined && steps.isOutput(scan.number)) blocks.push([scan.number, distancesOf(scan)[0]]);
    }
    // 3, 4 and 5; 6, 7 and 8; 9, 10 and 11.
    expect(blocks).toEqual([
      [3, [400]],
      [6, [700]],
      [9, [1000]],
    ]);
  });

  test('lets every scan out while it is off', () => {
    expect([1, 2, 3].every((number) => processing(fan(1)).isOutput(number))).toBe(true);
  });
});

describe('the segments', () => {
  /** Three segments: 0° to 3°, 4° to 7°, 8° and 9°. */
  const geometry = fan(10, { beamsPerSegment: 4 });
  const scan = () =>
    scanOf(
      Array.from({ length: 10 }, (_, beam): Echo[] => [[100 + beam, 1 + beam, 1]]),
      { geometry, number: 5 },
    );

  function put(settings: Partial<ProcessingSettings>) {
    const steps = processing(geometry, settings);
    return steps.segments(processed(steps, scan()));
  }

  test('hold the whole scan while every filter is off', () => {
    const segments = put({});
    expect(segments.map(({ frame, index, last: isLast, beams }) => [frame, index, isLast, beams])).toEqual([
      [5, 0, false, 4],
      [5, 1, false, 4],
      [5, 2, true, 2],
    ]);
    expect(segments[2]).toMatchObject({ echoes: 3, scale: 1 });
    expect([...(segments[2]?.distance ?? [])]).toEqual([108, 0, 0, 109, 0, 0]);
    expect([...(segments[2]?.rssi ?? [])]).toEqual([9, 0, 0, 10, 0, 0]);
    expect([...(segments[2]?.properties ?? [])]).toEqual([1, 1]);
  });

  test('are zero outside the angle range, left out where all of them is, and counted anew', () => {
    const segments = put({ ...first, ...angles({ fThetaStart: 60_000, fThetaStop: 80_000 }) });
    expect(segments.map(({ index, last: isLast }) => [index, isLast])).toEqual([
      [0, false],
      [1, true],
    ]);
    expect(segments.map(({ distance }) => [...distance])).toEqual([
      [0, 0, 106, 107],
      [108, 0],
    ]);
    expect(segments.map(({ rssi }) => [...rssi])).toEqual([
      [0, 0, 7, 8],
      [9, 0],
    ]);
    expect(segments.map(({ properties }) => [...properties])).toEqual([
      [0, 0, 1, 1],
      [1, 0],
    ]);
    // 4° and 8°, in rad.
    expect(segments.map(({ firstAzimuth }) => firstAzimuth)).toEqual([
      expect.closeTo(0.0698132, 7),
      expect.closeTo(0.1396263, 7),
    ]);
  });

  test('are none if no beam is visible', () => {
    expect(put(angles({ fThetaStart: 20_000, fThetaStop: 10_000 }))).toEqual([]);
  });

  test('are thinned out by the beam increment, and the scan is not', () => {
    const steps = processing(geometry, { ...first, ...angles({ uiBeamIncrement: 3 }) });
    const filtered = processed(steps, scan());
    expect(distancesOf(filtered).map(([distance]) => distance)).toEqual([
      100, 101, 102, 103, 104, 105, 106, 107, 108, 109,
    ]);
    expect(steps.segments(filtered).map(({ distance }) => [...distance])).toEqual([
      [100, 103],
      [104, 107],
      [108, 109],
    ]);
  });

  test('are not thinned out while the angle range is off', () => {
    const segments = put(angles({ bEnable: false, uiBeamIncrement: 3 }));
    expect(segments.map(({ beams }) => beams)).toEqual([4, 4, 2]);
  });

  test.each([
    { choice: EchoFilter.FIRST_ECHO, echoes: 1 },
    { choice: EchoFilter.ALL_ECHOS, echoes: 3 },
    { choice: EchoFilter.LAST_ECHO, echoes: 1 },
  ])('have $echoes places a beam under echo filter $choice', ({ choice, echoes }) => {
    expect(put({ FREchoFilter: choice }).map((segment) => segment.echoes)).toEqual([echoes, echoes, echoes]);
  });

  test('count in 2 mm with a long range', () => {
    expect(put({ EnableLongRangeMode: true }).map(({ scale }) => scale)).toEqual([2, 2, 2]);
  });

  test('are always handed out in the same arrays', () => {
    const steps = processing(geometry);
    const [segment] = steps.segments(processed(steps, scan()));
    const [again] = steps.segments(processed(steps, scan()));
    expect(again).toBe(segment);
  });

  test.each(Object.values(performanceProfiles))('show each beam once at $frequency, $resolution', (facts) => {
    const steps = new Processing(geometryOf(facts), off);
    const { beams } = steps.geometry;
    const segments = steps.segments(processed(steps, scanOf([], { geometry: steps.geometry })));
    const azimuths = segments.flatMap(({ azimuth }) => [...azimuth]);
    expect(azimuths).toHaveLength(beams);
    for (const [beam, azimuth] of azimuths.entries()) {
      expect(azimuth).toBeCloseTo((-138 + (276 * beam) / (beams - 1)) * (Math.PI / 180), 6);
    }
  });
});

describe('other settings', () => {
  const geometry = fan(1);
  const at = (number: number, distance: number) => scanOf([[[distance]]], { number });

  test('do not clear the moving average', () => {
    const steps = processing(geometry, average(2));
    steps.process(at(1, 1000));
    steps.configure({ ...off, ...average(2), ...radial(0, 9000), ...fog });
    expect(distancesOf(processed(steps, at(2, 2000)))).toEqual([[1500]]);
  });

  test.each([
    { what: 'its depth', ...average(3) },
    { what: 'the choice of an echo', ...average(2), ...first },
  ])('clear it when $what changes', (changed) => {
    const steps = processing(geometry, average(2));
    steps.process(at(1, 1000));
    steps.configure({ ...off, ...changed });
    expect(steps.process(at(2, 2000))).toBeUndefined();
  });

  test('clear it when it is switched off and on', () => {
    const steps = processing(geometry, average(2));
    steps.process(at(1, 1000));
    steps.configure(off);
    steps.configure({ ...off, ...average(2) });
    expect(steps.process(at(2, 2000))).toBeUndefined();
  });

  test('leave the particle filter the scan that it compares with', () => {
    const steps = processing(geometry, particle(500));
    steps.process(at(1, 5000));
    steps.configure({ ...off, ...particle(500), ...fog });
    expect(distancesOf(processed(steps, at(2, 1000)))).toEqual([[5000]]);
    steps.configure({ ...off, ...particle(400) });
    expect(distancesOf(processed(steps, at(3, 9000)))).toEqual([[9000]]);
  });

  test('hold from the next scan on', () => {
    const steps = processing(geometry);
    expect(distancesOf(processed(steps, at(1, 1000)))).toEqual([[1000]]);
    steps.configure({
      ...off,
      ...radial(2000, 3000),
      LFPintervalFilter: { bEnable: true, uiReductionFactor: 2 },
    });
    expect(distancesOf(processed(steps, at(2, 1000)))).toEqual([[]]);
    expect(steps.isOutput(3)).toBe(false);
    steps.configure(off);
    expect(distancesOf(processed(steps, at(3, 1000)))).toEqual([[1000]]);
  });

  test('do not change segments that are still to be sent', () => {
    const steps = processing(geometry);
    const [before] = steps.segments(processed(steps, at(1, 1000)));
    steps.configure({ ...off, EnableLongRangeMode: true });
    expect(before).toMatchObject({ frame: 1, scale: 1 });
    expect([...(before?.distance ?? [])]).toEqual([1000, 0, 0]);
    const [after] = steps.segments(processed(steps, at(2, 2000)));
    expect(before).toMatchObject({ frame: 1, scale: 1 });
    expect(after).toMatchObject({ frame: 2, scale: 2 });
  });
});
