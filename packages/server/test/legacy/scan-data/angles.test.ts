import { legacyNames } from '@azimuth/device/legacy';
import { basicSettings, dataReduction, type ValueOf } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { channel, LegacyScanner, seeing } from './legacy-scanner.js';

const { LFPangleRangeFilter } = dataReduction.members;
const { PerformanceProfileNumber } = basicSettings.members;

/** Each beam of a scan has a distance of its own number and 15, in mm, and the last two digits of that as strength. */
const numbered = seeing((beam, echo) => (echo === 0 ? [beam + 16, 257 * (1 + ((beam + 16) % 100))] : [0, 0]));

async function scanWith(
  members: Partial<ValueOf<'LFPangleRangeFilter'>>,
  profile: ValueOf<'PerformanceProfileNumber'> = 2,
) {
  const lmd = await LegacyScanner.open();
  lmd.core.prepared = numbered;
  lmd.set(PerformanceProfileNumber, profile);
  lmd.alter(LFPangleRangeFilter, { bEnable: true, ...members });
  const sink = lmd.follow();
  lmd.turns(3);
  const { start, step, data } = channel(sink.last, 'DIST1');
  // All channels begin and end together.
  for (const other of [...sink.last.wide, ...sink.last.narrow]) {
    expect([other.start, other.step, other.data.length]).toEqual([start, step, data.length]);
  }
  expect(channel(sink.last, 'RSSI1').data).toEqual(data.map((number) => 1 + (number % 100)));
  // Requests of a driver before the scan.
  const range = legacyNames.get('LMPoutputRange');
  const told = range?.kind === 'variable' ? range.read(lmd.device) : undefined;
  expect(told).toMatchObject({ count: 1, start, step });
  return { first: (data[0] ?? 0) - 15, last: (data.at(-1) ?? 0) - 15, count: data.length, start, step, sink };
}

describe('straight ahead is 90 degrees, counter-clockwise', () => {
  test('the range is from -48 to 228 degrees without a filter', async () => {
    expect(await scanWith({ bEnable: false })).toMatchObject({
      start: -480_000,
      step: 3333,
      count: 829,
      first: 1,
      last: 829,
    });
  });

  test.each([
    // 138 - 10 degrees are 384 thirds of a degree; 105 degrees more are 315.
    [{ fThetaStart: -100_000, fThetaStop: 950_000 }, 800_000, 385, 700],
    // The beams from the first one in the range on: at -33.3333 and 0.
    [{ fThetaStart: -334_000, fThetaStop: 1000 }, 566_667, 315, 415],
    // A single beam.
    [{ fThetaStart: 0, fThetaStop: 0 }, 900_000, 415, 415],
  ])('hidden beams at the ends are not sent: %o begins at %i', async (members, start, first, last) => {
    expect(await scanWith(members)).toMatchObject({
      start,
      step: 3333,
      first,
      last,
      count: last - first + 1,
    });
  });

  test('with an increment n, every n-th beam is sent from the first visible one on, and the step is n times as wide', async () => {
    expect(await scanWith({ fThetaStart: -100_000, fThetaStop: 950_000, uiBeamIncrement: 4 })).toMatchObject({
      start: 800_000,
      step: 13_332,
      first: 385,
      last: 385 + 312,
      count: 79,
    });
  });

  test('a step that does not fit into 16 bits is not used: at most 6 steps of 1 degree', async () => {
    expect(await scanWith({ fThetaStart: 0, fThetaStop: 300_000, uiBeamIncrement: 20 }, 11)).toMatchObject({
      start: 900_000,
      step: 60_000,
      count: 6,
      first: 139,
    });
  });

  test.each([
    [1, 5000, 553, 1500],
    [8, 2500, 1105, 5000],
    [9, 500, 5521, 1500],
    [10, 1250, 2209, 4000],
  ] as const)('profile %i: steps of %i, %i beams', async (profile, step, count, frequency) => {
    const { sink, ...scan } = await scanWith({ bEnable: false }, profile);
    expect(scan).toMatchObject({ start: -480_000, step, count });
    expect(sink.last).toMatchObject({ frequency, measurements: 0 });
  });
});

test('if no beam is visible, nothing is sent, and a poll finds no scan', async () => {
  const lmd = await LegacyScanner.open();
  lmd.alter(LFPangleRangeFilter, { bEnable: true, fThetaStart: 100_000, fThetaStop: -100_000 });
  const sink = lmd.follow();
  lmd.turns(3);
  expect(sink.frames).toEqual([]);
  expect(await lmd.scanData.poll('text')).toBe(undefined);
  lmd.alter(LFPangleRangeFilter, { bEnable: false });
  lmd.turns(2);
  expect(sink.last).toMatchObject({ telegram: sink.frames.length });
});
