import { dataReduction, ScanDataFormat } from '@azimuth/model';
import { expect, test } from 'vitest';
import { requestedScansTime, scanTimeout } from '../../../src/legacy/limits.js';
import { decoded, LegacyScanner, output } from './legacy-scanner.js';

const { LFPintervalFilter } = dataReduction.members;

test.each(Object.values(ScanDataFormat))(
  'in format %i a poll gets the next scan if scans were not observed',
  async (format) => {
    const lmd = await LegacyScanner.open();
    lmd.set(output.ScanDataFormat, format);
    lmd.turns(4.5);
    const [text, binary] = [lmd.scanData.poll('text'), lmd.scanData.poll('binary')];
    lmd.turns(1.5);
    const scan = decoded(await text);
    // Four revolutions and a half have passed; the sixth is the next one that begins.
    expect(scan).toMatchObject({ command: 'sRA', scan: 6, telegram: 1, sinceStart: 333_333 });
    expect(decoded(await binary)).toEqual(scan);
  },
);

test('further polls get the last scan at once, encoded once', async () => {
  const lmd = await LegacyScanner.open();
  const first = lmd.scanData.poll('text');
  lmd.turns(1);
  const frame = await first;
  expect(lmd.scanData.poll('text')).toBe(frame);
  lmd.turns(1);
  const second = lmd.scanData.poll('text');
  expect(second).toBe(lmd.scanData.poll('text'));
  expect(decoded(await second)).toMatchObject({ scan: 2, telegram: 2 });
});

test('an answer and an event of the same scan have the same content', async () => {
  const lmd = await LegacyScanner.open();
  for (const framing of ['text', 'binary'] as const) {
    const sink = lmd.follow(framing);
    lmd.turns(2);
    const event = Buffer.from(sink.frames.at(-1) ?? []);
    expect(decoded(await lmd.scanData.poll(framing))).toEqual({ ...sink.last, command: 'sRA' });
    expect(event.equals(sink.frames.at(-1) ?? Buffer.of())).toBe(true);
    sink.stop();
  }
});

test('scans are kept for some seconds after a poll, and then no longer observed', async () => {
  const lmd = await LegacyScanner.open();
  const answer = lmd.scanData.poll('binary');
  lmd.turns(1);
  await answer;
  lmd.testScanner.clock.advance(requestedScansTime - 1000);
  expect(decoded(await lmd.scanData.poll('binary')).scan).toBeGreaterThan(50);
  const before = lmd.core.computed;
  lmd.testScanner.clock.advance(requestedScansTime - 500);
  expect([lmd.core.computed > before + 50, lmd.core.stops]).toEqual([true, 0]);
  lmd.testScanner.clock.advance(1000);
  expect(lmd.core.stops).toBe(1);
  const { computed } = lmd.core;
  lmd.testScanner.clock.advance(60_000);
  expect(lmd.core.computed).toBe(computed);
  // The stored scan is old, so the next one is measured.
  const next = lmd.scanData.poll('binary');
  lmd.turns(2);
  expect(decoded(await next).scan).toBeGreaterThan(computed + 800);
});

test('while the scanner does not measure, a poll gets the last scan, or none if there never was one', async () => {
  const lmd = await LegacyScanner.open();
  await lmd.testScanner.call('mStopMeasure');
  expect(lmd.scanData.poll('text')).toBe(undefined);
  await lmd.testScanner.call('mStartMeasure');
  const answer = lmd.scanData.poll('text');
  lmd.turns(3);
  const { scan } = decoded(await answer);
  await lmd.testScanner.call('mStopMeasure');
  const last = decoded(await lmd.scanData.poll('text')).scan;
  expect(last).toBeGreaterThanOrEqual(scan);
  lmd.testScanner.clock.advance(3_600_000);
  expect(decoded(await lmd.scanData.poll('text')).scan).toBe(last);
});

test('if the core delivers nothing, a poll waits for at most a second', async () => {
  const lmd = await LegacyScanner.open();
  lmd.core.frequency = 0.001;
  const answers = [lmd.scanData.poll('text'), lmd.scanData.poll('binary')];
  lmd.testScanner.clock.advance(1);
  lmd.testScanner.clock.advance(scanTimeout);
  expect(await Promise.all(answers)).toEqual([undefined, undefined]);
});

test('a poll does not wait for the interval filter', async () => {
  const lmd = await LegacyScanner.open();
  lmd.set(LFPintervalFilter, { bEnable: true, uiReductionFactor: 50 });
  const answer = lmd.scanData.poll('text');
  lmd.turns(2);
  expect(decoded(await answer).scan).toBe(2);
});

test('a boot deletes the last scan, and answers waiting polls', async () => {
  const lmd = await LegacyScanner.open();
  const first = lmd.scanData.poll('text');
  lmd.turns(1);
  expect(await first).toBeDefined();
  await lmd.testScanner.call('mStopMeasure');
  expect(lmd.scanData.poll('text')).toBeDefined();
  await lmd.testScanner.reboot();
  const answer = lmd.scanData.poll('text');
  lmd.device.lifecycle.reboot();
  expect(await answer).toBe(undefined);
  await lmd.testScanner.boot();
  const next = lmd.scanData.poll('text');
  lmd.turns(2);
  expect(decoded(await next)).toMatchObject({ telegram: 1 });
});

test('a poll after a boot gets no scan from before it, even if a session subscribes all the time', async () => {
  const lmd = await LegacyScanner.open();
  await lmd.testScanner.call('WriteEeprom');
  const sink = lmd.follow();
  lmd.turns(4);
  await lmd.testScanner.reboot();
  const answer = lmd.scanData.poll('binary');
  lmd.turns(1);
  expect(decoded(await answer)).toMatchObject({ scan: 1, telegram: 1 });
  expect(sink.last.telegram).toBe(1);
});

test('when the scanner stops measuring, a poll gets the last scan that was observed', async () => {
  const lmd = await LegacyScanner.open();
  const stop = lmd.device.features.measuring.watch({ segment: () => undefined });
  lmd.turns(9.5);
  lmd.device.features.measuring.request('stopped');
  stop();
  const scan = decoded(await lmd.scanData.poll('binary'));
  expect(scan.scan).toBeGreaterThanOrEqual(8);
  expect(decoded(await lmd.scanData.poll('text'))).toEqual(scan);
});
