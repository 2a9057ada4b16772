import { dataReduction, ScanDataFormat } from '@azimuth/model';
import { expect, test } from 'vitest';
import { scansKeptFor, scanTimeout } from '../../../src/legacy/limits.js';
import { decoded, LmdBench, output } from './lmd-bench.js';

const { LFPintervalFilter } = dataReduction.members;

test.each(Object.values(ScanDataFormat))(
  'in format %i the next scan is answered where nobody has looked',
  async (format) => {
    const lmd = await LmdBench.open();
    lmd.set(output.ScanDataFormat, format);
    lmd.turns(4.5);
    const [text, binary] = [lmd.scanData.poll('text'), lmd.scanData.poll('binary')];
    lmd.turns(1.5);
    const scan = decoded(await text);
    // Four turns and a half have passed; the sixth is the next one that begins.
    expect(scan).toMatchObject({ command: 'sRA', scan: 6, telegram: 1, sinceStart: 333_333 });
    expect(decoded(await binary)).toEqual(scan);
  },
);

test('further requests are answered at once with the last scan, encoded once', async () => {
  const lmd = await LmdBench.open();
  const first = lmd.scanData.poll('text');
  lmd.turns(1);
  const frame = await first;
  expect(lmd.scanData.poll('text')).toBe(frame);
  lmd.turns(1);
  const second = lmd.scanData.poll('text');
  expect(second).toBe(lmd.scanData.poll('text'));
  expect(decoded(await second)).toMatchObject({ scan: 2, telegram: 2 });
});

test('an answer and an event of the same scan say the same', async () => {
  const lmd = await LmdBench.open();
  for (const framing of ['text', 'binary'] as const) {
    const sink = lmd.follow(framing);
    lmd.turns(2);
    const event = Buffer.from(sink.frames.at(-1) ?? []);
    expect(decoded(await lmd.scanData.poll(framing))).toEqual({ ...sink.last, command: 'sRA' });
    expect(event.equals(sink.frames.at(-1) ?? Buffer.of())).toBe(true);
    sink.stop();
  }
});

test('scans are kept for some seconds after a request, and then nothing is measured any more', async () => {
  const lmd = await LmdBench.open();
  const answer = lmd.scanData.poll('binary');
  lmd.turns(1);
  await answer;
  lmd.bench.clock.advance(scansKeptFor - 1000);
  expect(decoded(await lmd.scanData.poll('binary')).scan).toBeGreaterThan(50);
  const before = lmd.core.computed;
  lmd.bench.clock.advance(scansKeptFor - 500);
  expect([lmd.core.computed > before + 50, lmd.core.stops]).toEqual([true, 0]);
  lmd.bench.clock.advance(1000);
  expect(lmd.core.stops).toBe(1);
  const { computed } = lmd.core;
  lmd.bench.clock.advance(60_000);
  expect(lmd.core.computed).toBe(computed);
  // What was kept is old: the next one is measured.
  const next = lmd.scanData.poll('binary');
  lmd.turns(2);
  expect(decoded(await next).scan).toBeGreaterThan(computed + 800);
});

test('the last scan is answered while nothing is measured, and none where there never was one', async () => {
  const lmd = await LmdBench.open();
  await lmd.bench.call('mStopMeasure');
  expect(lmd.scanData.poll('text')).toBe(undefined);
  await lmd.bench.call('mStartMeasure');
  const answer = lmd.scanData.poll('text');
  lmd.turns(3);
  const { scan } = decoded(await answer);
  await lmd.bench.call('mStopMeasure');
  const last = decoded(await lmd.scanData.poll('text')).scan;
  expect(last).toBeGreaterThanOrEqual(scan);
  lmd.bench.clock.advance(3_600_000);
  expect(decoded(await lmd.scanData.poll('text')).scan).toBe(last);
});

test('a core that hands nothing over keeps nobody waiting for longer than a second', async () => {
  const lmd = await LmdBench.open();
  lmd.core.frequency = 0.001;
  const answers = [lmd.scanData.poll('text'), lmd.scanData.poll('binary')];
  lmd.bench.clock.advance(1);
  lmd.bench.clock.advance(scanTimeout);
  expect(await Promise.all(answers)).toEqual([undefined, undefined]);
});

test('a request does not wait for the interval filter', async () => {
  const lmd = await LmdBench.open();
  lmd.set(LFPintervalFilter, { bEnable: true, uiReductionFactor: 50 });
  const answer = lmd.scanData.poll('text');
  lmd.turns(2);
  expect(decoded(await answer).scan).toBe(2);
});

test('a boot forgets the last scan, and answers whoever waits', async () => {
  const lmd = await LmdBench.open();
  const first = lmd.scanData.poll('text');
  lmd.turns(1);
  expect(await first).toBeDefined();
  await lmd.bench.call('mStopMeasure');
  expect(lmd.scanData.poll('text')).toBeDefined();
  await lmd.bench.reboot();
  const answer = lmd.scanData.poll('text');
  lmd.device.lifecycle.reboot();
  expect(await answer).toBe(undefined);
  await lmd.bench.boot();
  const next = lmd.scanData.poll('text');
  lmd.turns(2);
  expect(decoded(await next)).toMatchObject({ telegram: 1 });
});

test('nor is a scan of before a boot the answer behind it, where somebody follows scans all the time', async () => {
  const lmd = await LmdBench.open();
  await lmd.bench.call('WriteEeprom');
  const sink = lmd.follow();
  lmd.turns(4);
  await lmd.bench.reboot();
  const answer = lmd.scanData.poll('binary');
  lmd.turns(1);
  expect(decoded(await answer)).toMatchObject({ scan: 1, telegram: 1 });
  expect(sink.last.telegram).toBe(1);
});

test('once it does not measure, the last scan is answered that anybody has looked at', async () => {
  const lmd = await LmdBench.open();
  const stop = lmd.device.measuring.watch({ segment: () => undefined });
  lmd.turns(9.5);
  lmd.device.measuring.request('stopped');
  stop();
  const scan = decoded(await lmd.scanData.poll('binary'));
  expect(scan.scan).toBeGreaterThanOrEqual(8);
  expect(decoded(await lmd.scanData.poll('text'))).toEqual(scan);
});
