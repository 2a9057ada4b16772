import { ScannerError } from '@azimuth/client';
import { measurementDataOutput, regionOfInterest, ScanDataFormat } from '@azimuth/model';
import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { levelOf, OutputDraft } from '../../src/data-output/output-draft.js';

const { ScanDataEnable, ScanDataEthSettings, ScanDataFormat: format } = measurementDataOutput.members;
const { LFPcubicareafilter } = regionOfInterest.members;
const udp = ScanDataEthSettings.type.initial;

/** A scanner that remembers what is written. */
function scannerWith(values: Readonly<Record<string, unknown>>, write?: (name: string) => void) {
  const stored = signal<Readonly<Record<string, unknown>>>(values);
  const written: string[] = [];
  return {
    written,
    value: (name: string) => stored.value[name],
    write(name: string, value: unknown): Promise<void> {
      try {
        write?.(name);
      } catch (error) {
        return Promise.reject(error);
      }
      written.push(name);
      stored.value = { ...stored.value, [name]: value };
      return Promise.resolve();
    },
  };
}

const values = { ScanDataEnable: false, ScanDataEthSettings: udp, ScanDataFormat: ScanDataFormat.Compact };

test('the page shows what the scanner has, until something is edited', () => {
  const draft = new OutputDraft(scannerWith(values));
  expect(draft.valueOf(format)).toBe(ScanDataFormat.Compact);
  draft.edit(format, ScanDataFormat.MSGPACK);
  expect(draft.valueOf(format)).toBe(ScanDataFormat.MSGPACK);
  expect(draft.changes.value).toEqual([
    { variable: format, from: ScanDataFormat.Compact, to: ScanDataFormat.MSGPACK },
  ]);
});

test('an edit back to the value of the scanner is no change', () => {
  const draft = new OutputDraft(scannerWith(values));
  draft.edit(format, ScanDataFormat.MSGPACK);
  draft.edit(format, ScanDataFormat.Compact);
  expect(draft.changes.value).toEqual([]);
});

test('undo takes back one step; all edits of one gesture are one step', () => {
  const draft = new OutputDraft(scannerWith(values));
  draft.edit(ScanDataEthSettings, { ...udp, Port: 1 }, 'typing');
  draft.edit(ScanDataEthSettings, { ...udp, Port: 12 }, 'typing');
  draft.edit(format, ScanDataFormat.MSGPACK, 'choice');
  draft.undo();
  expect(draft.valueOf(format)).toBe(ScanDataFormat.Compact);
  expect(draft.valueOf(ScanDataEthSettings)).toEqual({ ...udp, Port: 12 });
  draft.undo();
  expect(draft.changes.value).toEqual([]);
});

test('a stream is switched on after its destination is written, and off before', async () => {
  const off = scannerWith(values);
  const on = new OutputDraft(off);
  on.edit(ScanDataEnable, true);
  on.edit(ScanDataEthSettings, { ...udp, Port: 2222 });
  await on.apply();
  expect(off.written).toEqual(['ScanDataEthSettings', 'ScanDataEnable']);
  expect(on.changes.value).toEqual([]);
  const running = scannerWith({ ...values, ScanDataEnable: true });
  const draft = new OutputDraft(running);
  draft.edit(ScanDataEthSettings, { ...udp, Port: 2222 });
  draft.edit(ScanDataEnable, false);
  await draft.apply();
  expect(running.written).toEqual(['ScanDataEnable', 'ScanDataEthSettings']);
});

test('nothing is written while a value is not allowed; the reason is at its member', async () => {
  const scanner = scannerWith(values);
  const draft = new OutputDraft(scanner);
  draft.edit(format, ScanDataFormat.MSGPACK);
  draft.edit(ScanDataEthSettings, { ...udp, Port: 70_000 });
  await draft.apply();
  expect(scanner.written).toEqual([]);
  expect(draft.refusals.value.get('ScanDataEthSettings')).toMatchObject({ at: '.Port' });
  draft.edit(ScanDataEthSettings, { ...udp, Port: 7000 });
  expect(draft.refusals.value.size).toBe(0);
});

test('a value that the scanner refuses stays in the draft, and the others are written', async () => {
  const scanner = scannerWith({ ...values, LFPcubicareafilter: LFPcubicareafilter.type.initial }, (name) => {
    if (name === 'ScanDataFormat')
      throw new ScannerError(name, 3, 'Invalid value', 'ScanDataFormat: not now');
  });
  const draft = new OutputDraft(scanner);
  draft.edit(format, ScanDataFormat.MSGPACK);
  draft.edit(LFPcubicareafilter, { ...LFPcubicareafilter.type.initial, bEnable: true });
  await draft.apply();
  expect(scanner.written).toEqual(['LFPcubicareafilter']);
  expect(draft.changes.value.map(({ variable }) => variable.name)).toEqual(['ScanDataFormat']);
  expect(draft.refusals.value.get('ScanDataFormat')).toEqual({ at: '', reason: 'not now' });
});

test('an edit that is made while others are applied stays in the draft', async () => {
  const scanner = scannerWith(values);
  const draft = new OutputDraft(scanner);
  draft.edit(format, ScanDataFormat.MSGPACK);
  const applied = draft.apply();
  draft.edit(ScanDataEnable, true);
  await applied;
  expect(scanner.written).toEqual(['ScanDataFormat']);
  expect(draft.changes.value).toEqual([{ variable: ScanDataEnable, from: false, to: true }]);
});

test('the level is the lowest that may write all changes', () => {
  expect(levelOf([{ variable: format, from: 1, to: 2 }])).toBe('AuthorizedClient');
});
