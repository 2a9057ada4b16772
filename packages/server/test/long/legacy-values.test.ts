import {
  allVariables,
  BinaryReader,
  type Edition,
  releases,
  TextReader,
  type ValueType,
  type Variable,
} from '@azimuth/model';
import { isObject, object, parse } from '@azimuth/test-support/json';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { expect, test } from 'vitest';
import { LegacyWire } from '../legacy/legacy-wire.js';

/** These differ from one look to the next. */
const moving = ['LSPdatetime', 'DailyOpHours', 'OpHours', 'InertialMeasurementUnit', 'CurrentTempDev'];

async function overRest(scanner: TestScanner, name: string): Promise<unknown> {
  const reply = await scanner.client().send({ method: 'GET', path: `/api/${name}` });
  return object(object(parse(reply.text)).data)[name];
}

function fromText<T>(type: ValueType<T>, answer: string, name: string): T {
  expect(answer.startsWith(`sRA ${name}`), answer).toBe(true);
  const reader = new TextReader(answer.slice(4 + name.length));
  const value = type.fromText(reader, name);
  expect(reader.atEnd).toBe(true);
  return value;
}

function fromBinary<T>(type: ValueType<T>, answer: Buffer, name: string): T {
  const head = `sRA ${name} `;
  expect(answer.subarray(0, head.length).toString('latin1')).toBe(head);
  const reader = new BinaryReader(answer.subarray(head.length));
  const value = type.fromBinary(reader, name);
  expect(reader.remaining).toBe(0);
  return value;
}

function variablesOf(edition: Edition): readonly Variable<unknown>[] {
  return allVariables.filter((variable) => variable.isIn(edition));
}

test.each(releases)(
  'release %s: every variable reads the same in text, in binary and over REST',
  async (release) => {
    const scanner = await TestScanner.start({ release });
    const wire = await LegacyWire.open(scanner.portA);
    const variables = variablesOf({ release, variant: 'full' });
    expect(variables.length).toBeGreaterThan(50);
    for (const { name, type } of variables) {
      const text = fromText(type, await wire.ask(`sRN ${name}`), name);
      const binary = fromBinary(type, await wire.askBinary(`sRN ${name}`), name);
      if (moving.includes(name)) continue;
      const rest = await overRest(scanner, name);
      expect(text, name).toEqual(rest);
      expect(binary, name).toEqual(rest);
    }
  },
);

test('every writable variable is written back as it was read, in both encodings, and is unchanged', async () => {
  const scanner = await TestScanner.start();
  const wire = await LegacyWire.open(scanner.portB);
  expect(await wire.ask('sMN SetAccessMode 4 81BE23AA')).toBe('sAN SetAccessMode 1');
  const before = scanner.service.device.parameters.layer('working');
  const writable = variablesOf({ release: '2.4.4', variant: 'full' }).filter(
    ({ facts }) => facts.write !== undefined,
  );
  expect(writable.length).toBeGreaterThan(30);
  for (const { name } of writable) {
    const text = await wire.ask(`sRN ${name}`);
    expect(await wire.ask(`sWN ${text.slice(4)}`)).toBe(`sWA ${name}`);
    const binary = await wire.askBinary(`sRN ${name}`);
    binary.write('sWN', 'latin1');
    // A blank follows most names, but not all.
    expect((await wire.askBinary(binary)).toString('latin1').trimEnd()).toBe(`sWA ${name}`);
  }
  for (const name of ['LMPoutputRange', 'LMDscandatacfg', 'EIHstCola', 'EIIpAddr']) {
    const text = await wire.ask(`sRN ${name}`);
    expect(await wire.ask(`sWN ${text.slice(4)}`)).toBe(`sWA ${name}`);
  }
  expect(scanner.service.device.parameters.layer('working')).toEqual(before);
});

test('a value written over one protocol is read over every other', async () => {
  const scanner = await TestScanner.start();
  const wire = await LegacyWire.open(scanner.portA);
  await wire.ask('sMN SetAccessMode 4 81BE23AA');
  expect(await wire.ask('sWN LocationName 6 Gate 3')).toBe('sWA LocationName');
  expect((await wire.askBinary('sRN LocationName')).toString('latin1')).toBe(
    'sRA LocationName \u0000\u0006Gate 3',
  );
  expect(await overRest(scanner, 'LocationName')).toBe('Gate 3');
  expect(await wire.ask('sWN EtherIPAddress C0 A8 0 7')).toBe('sWA EtherIPAddress');
  expect(await wire.ask('sRN EIIpAddr')).toBe('sRA EIIpAddr C0 A8 0 7');
  expect(isObject(await overRest(scanner, 'LMDscandatacfg').catch(() => undefined))).toBe(false);
});

test('names that a release or variant does not have are unknown', async () => {
  const old = await LegacyWire.open((await TestScanner.start({ release: '2.2.0' })).portA);
  expect(await old.ask('sRN ScanDataConfig')).toBe('sFA 3');
  expect(await old.ask('sMN StartScanMerge')).toBe('sFA 2');
  // The older name of ScanDataConfig tells what is sent, and cannot be written there.
  expect(await old.ask('sRN LMDscandatacfg')).toBe('sRA LMDscandatacfg 0 0 1 0 0 0 0 0 0 0 0 1');
  await old.ask('sMN SetAccessMode 4 81BE23AA');
  expect(await old.ask('sWN LMDscandatacfg 01 00 1 1 0 00 00 0 0 0 1 +1')).toBe('sFA A');
  const core = await LegacyWire.open((await TestScanner.start({ variant: 'core' })).portA);
  expect(await core.ask('sRN FieldEvaluationResult')).toBe('sFA 3');
  expect(await core.ask('sRN LFErec')).toMatch(/^sRA LFErec 3 1 1 /);
  expect(await core.ask('sEN LFErec 1')).toBe('sEA LFErec 1');
});
