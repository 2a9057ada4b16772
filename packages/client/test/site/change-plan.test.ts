import { extensions, inputsAndOutputs } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import {
  AnswerError,
  changePlan,
  isDone,
  parametersToSave,
  parametersToWrite,
  unsavedByOthers,
} from '../../src/index.js';
import { FakeParameters } from './fake-parameters.js';

const stream = { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 2115 };
const held = {
  LocationName: 'Gate 3',
  ScanDataEnable: false,
  ScanDataEthSettings: stream,
  EncResolution: 0.1,
  EtherIPAddress: [192, 168, 0, 1],
};

const wanted = (values: Readonly<Record<string, unknown>>) => new Map(Object.entries(values));
const named = (parameters: readonly { readonly name: string }[]) => parameters.map(({ name }) => name);

describe('a plan', () => {
  test('writes what differs, and keeps the members that are not named', async () => {
    const scanner = new FakeParameters(held);
    const plan = await changePlan(
      scanner,
      wanted({ ScanDataEthSettings: { Port: 2116 }, ScanDataEnable: false }),
    );
    expect(parametersToWrite(plan).map(({ name, from, to }) => [name, from, to])).toEqual([
      ['ScanDataEthSettings', stream, { ...stream, Port: 2116 }],
    ]);
    expect(isDone(plan)).toBe(false);
    expect(scanner.requests).toEqual([]);
  });

  test('of what a scanner has already is done, also if it rounds and completes values', async () => {
    const whole = extensions.members.fields.type.fromJson(fieldsWith({ Id: 1 }), 'fields');
    const scanner = new FakeParameters({ ...held, 'x/fields': whole });
    const plan = await changePlan(
      scanner,
      wanted({ EncResolution: 0.100000001, fields: fieldsWith({ Id: 1 }), ScanDataEthSettings: stream }),
    );
    expect(plan.parameters.map(({ name, act }) => `${name} ${act}`).toSorted()).toEqual([
      'EncResolution same',
      'ScanDataEthSettings same',
      'x/fields same',
    ]);
    expect(isDone(plan)).toBe(true);
  });

  test('completes the items of a list of fixed length', async () => {
    const { initial } = inputsAndOutputs.members.PortConfiguration.type;
    const scanner = new FakeParameters({ PortConfiguration: initial });
    const part = initial.map((_, index) => (index === 2 ? { Name: 'lamp' } : {}));
    const plan = await changePlan(scanner, wanted({ PortConfiguration: part }));
    const renamed = initial.map((port, index) => (index === 2 ? { ...port, Name: 'lamp' } : port));
    expect(parametersToWrite(plan)[0]?.to).toEqual(renamed);
  });

  test('says what the release lacks, what the level may not write, and what is not allowed', async () => {
    const scanner = new FakeParameters({ enableCloningPlug: false, ScanDataFormat: 1 });
    const plan = await changePlan(
      scanner,
      wanted({ ImuDataEnable: true, enableCloningPlug: true, ScanDataFormat: 77 }),
      { level: 'AuthorizedClient' },
    );
    expect(plan.parameters.map(({ name, skipped }) => `${name} ${skipped}`).toSorted()).toEqual([
      'ImuDataEnable missing',
      'ScanDataFormat not allowed',
      'enableCloningPlug level',
    ]);
  });

  test('shows what others have left unsaved, apart from what is wanted', async () => {
    const scanner = new FakeParameters(held);
    scanner.working.set('LocationName', 'Gate 9');
    scanner.working.set('ScanDataEnable', true);
    const plan = await changePlan(scanner, wanted({ ScanDataEnable: true }));
    expect(named(unsavedByOthers(plan))).toEqual(['LocationName']);
    // It has the wanted value, but a power cut would undo it.
    expect(named(parametersToSave(plan))).toEqual(['ScanDataEnable']);
    expect(isDone(plan)).toBe(false);
  });

  test('does not know what is unsaved if the scanner has no /x/', async () => {
    const silent = new FakeParameters(held, { tellsStored: false });
    expect((await changePlan(silent, wanted({ ScanDataEnable: true }))).unsaved).toBeUndefined();
    const plain = {
      readAny: async (name: string) => {
        if (name.startsWith('x/')) throw new AnswerError('http://127.0.0.1', name, 'a page');
        return silent.readAny(name);
      },
    };
    const plan = await changePlan(plain, wanted({ fields: fieldsWith({ Id: 1 }), ScanDataEnable: true }));
    expect(plan.unsaved).toBeUndefined();
    expect(plan.parameters.map(({ name, act }) => `${name} ${act}`)).toEqual([
      'ScanDataEnable write',
      'x/fields skip',
    ]);
  });
});

function fieldsWith(evaluation: Readonly<Record<string, unknown>>) {
  return { evaluations: [evaluation], groups: [] };
}
