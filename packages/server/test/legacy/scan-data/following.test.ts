import { dataReduction, filter, measurementDataOutput, ScanDataFormat } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { decoded, LegacyScanner, output } from './legacy-scanner.js';

const { LFPintervalFilter } = dataReduction.members;
const { MSGPACK, Compact, LMDscandata, NativeROS2 } = ScanDataFormat;

describe('the scanner is not observed while', () => {
  test('no session follows', async () => {
    const lmd = await LegacyScanner.open();
    lmd.turns(10);
    expect(lmd.core.orders).toEqual([]);
    const sink = lmd.follow();
    lmd.turns(1.9);
    sink.stop();
    lmd.turns(10);
    expect([lmd.core.computed, lmd.core.stops, sink.frames.length]).toEqual([2, 1, 2]);
  });

  test.each([MSGPACK, Compact, NativeROS2])('the format is %i', async (format) => {
    const lmd = await LegacyScanner.open();
    lmd.set(output.ScanDataFormat, format);
    const sink = lmd.follow();
    lmd.turns(10);
    expect([lmd.core.orders, sink.frames]).toEqual([[], []]);
    lmd.set(output.ScanDataFormat, LMDscandata);
    lmd.turns(2);
    expect(sink.scans.map(({ telegram, scan }) => [telegram, scan])).toEqual([
      [1, 11],
      [2, 12],
    ]);
  });
});

test('another format switches it off and on at once, whatever ScanDataEnable is', async () => {
  const lmd = await LegacyScanner.open();
  expect(lmd.device.read(measurementDataOutput.members.ScanDataEnable)).toBe(false);
  const sink = lmd.follow();
  lmd.turns(3);
  lmd.set(output.ScanDataFormat, Compact);
  lmd.turns(3);
  expect([sink.frames.length, lmd.core.stops]).toEqual([3, 1]);
  lmd.set(output.ScanDataFormat, LMDscandata);
  lmd.turns(2);
  expect(sink.scans.map(({ telegram, scan }) => [telegram, scan])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 7],
    [5, 8],
  ]);
});

test('it stops and starts with measuring', async () => {
  const lmd = await LegacyScanner.open();
  const sink = lmd.follow();
  lmd.turns(2);
  await lmd.testScanner.call('mStopMeasure');
  lmd.turns(5);
  expect(sink.frames.length).toBe(2);
  await lmd.testScanner.call('mStartMeasure');
  lmd.turns(2);
  expect(sink.scans.map(({ telegram }) => telegram)).toEqual([1, 2, 3, 4]);
});

test('a telegram is encoded once for each framing, and has the same number in both', async () => {
  const lmd = await LegacyScanner.open();
  const [a, b, c, d] = [lmd.follow('text'), lmd.follow('text'), lmd.follow(), lmd.follow()];
  lmd.turns(2);
  expect(a.frames.length).toBe(2);
  expect(b.frames[1]).toBe(a.frames[1]);
  expect(d.frames[1]).toBe(c.frames[1]);
  expect(c.scans).toEqual(a.scans);
});

test('sent bytes are not changed later', async () => {
  const lmd = await LegacyScanner.open();
  const sink = lmd.follow();
  lmd.turns(1);
  const [first] = sink.frames;
  const before = Buffer.from(first ?? []);
  lmd.core.distance = 999;
  await lmd.scanData.poll('binary');
  lmd.turns(5);
  expect(before.length).toBeGreaterThan(5000);
  expect(before.equals(first ?? Buffer.of())).toBe(true);
});

test('sessions are independent: one that ends, one that begins later, one that does not read', async () => {
  const lmd = await LegacyScanner.open();
  const [first, busy] = [lmd.follow(), lmd.follow('text')];
  lmd.turns(2);
  busy.isBusy = true;
  const late = lmd.follow();
  lmd.turns(3);
  first.stop();
  busy.isBusy = false;
  lmd.turns(1);
  expect(first.scans.map(({ scan }) => scan)).toEqual([1, 2, 3, 4, 5]);
  expect(late.scans.map(({ scan }) => scan)).toEqual([3, 4, 5, 6]);
  // The number of the telegram shows the number of lost ones.
  expect(busy.scans.map(({ telegram }) => telegram)).toEqual([1, 2, 6]);
  expect(busy.lost).toBe(3);
});

describe('thinned out', () => {
  test('by the interval filter', async () => {
    const lmd = await LegacyScanner.open();
    lmd.set(LFPintervalFilter, { bEnable: true, uiReductionFactor: 3 });
    const sink = lmd.follow();
    lmd.turns(10);
    expect(sink.scans.map(({ telegram, scan }) => [telegram, scan])).toEqual([
      [1, 3],
      [2, 6],
      [3, 9],
    ]);
  });
});

test('telegrams and scans are counted apart: a scan that nobody gets has no telegram', async () => {
  const lmd = await LegacyScanner.open();
  const first = lmd.follow();
  lmd.turns(2);
  first.stop();
  lmd.turns(4);
  const second = lmd.follow();
  lmd.turns(2);
  const counted = [...first.scans, ...second.scans].map(({ telegram, scan }) => [telegram, scan]);
  expect(counted).toEqual([
    [1, 1],
    [2, 2],
    [3, 7],
    [4, 8],
  ]);
});

test('the number of an averaged scan is that of the first scan that went in', async () => {
  const lmd = await LegacyScanner.open();
  lmd.set(filter.members.LFPmovingAveragingFilter, { bEnable: true, uiAveragingDepth: 3 });
  const sink = lmd.follow();
  lmd.turns(5);
  const facts = sink.scans.map(({ telegram, scan, sinceStart }) => [telegram, scan, sinceStart]);
  expect(facts).toEqual([
    [1, 1, 133_333],
    [2, 2, 200_000],
    [3, 3, 266_667],
  ]);
});

test('counters wrap at 16 bits, times at 32', async () => {
  const lmd = await LegacyScanner.open();
  const sink = lmd.follow();
  lmd.core.prepared = (scan) => {
    scan.number += 65_534;
    return scan;
  };
  lmd.turns(1);
  sink.stop();
  // An hour and 12 minutes: 2^32 us are 4294.967296 s.
  lmd.testScanner.clock.advance(4_320_000);
  const late = lmd.follow('text');
  lmd.turns(2);
  expect(sink.last.scan).toBe(65_535);
  expect(late.last.sinceStart).toBeLessThan(26_000_000);
  expect(late.last.sinceStart).toBeGreaterThan(25_000_000);
});

test('a boot counts from 1 again', async () => {
  const lmd = await LegacyScanner.open();
  const sink = lmd.follow();
  lmd.turns(3);
  sink.stop();
  await lmd.testScanner.reboot();
  lmd.set(output.ScanDataFormat, LMDscandata);
  const after = lmd.follow();
  lmd.turns(2);
  expect(after.scans.map(({ telegram, scan }) => [telegram, scan])).toEqual([
    [1, 1],
    [2, 2],
  ]);
  expect(decoded(after.frames[0]).sinceStart).toBe(0);
});
