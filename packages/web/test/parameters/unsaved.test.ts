import {
  allParameters,
  allVariables,
  builtInInterface,
  fieldEvaluation,
  mentions,
  type Variable,
} from '@azimuth/model';
import { signal } from '@preact/signals';
import { describe, expect, test } from 'vitest';
import { factoryValueOf, variablesOf } from '../../src/connection/declarations.js';
import { changesTo } from '../../src/forms/differences.js';
import { grouped, savedWords, unknownWords, wantedBy } from '../../src/parameters/unsaved.js';

const newest = { release: '2.4.4', variant: 'full', known: builtInInterface } as const;
const oldest = { release: '1.4.0', variant: 'basic', known: builtInInterface } as const;

function find(name: string): Variable<unknown> {
  const variable = allVariables.find((one) => one.name === name);
  if (variable === undefined) throw new Error(`${name} is not declared`);
  return variable;
}

describe('the variables of a scanner', () => {
  test('are those of its release and variant, group by group', () => {
    const names = (edition: typeof newest | typeof oldest) => variablesOf(edition).map(({ name }) => name);
    expect(names(newest)).toContain('fields');
    expect(names(oldest)).not.toContain('fields');
    expect(names(oldest)).toContain('EnableColaScan');
    const groups = grouped(variablesOf(newest)).map(({ name }) => name);
    expect(new Set(groups).size).toBe(groups.length);
    expect(
      grouped(variablesOf(newest)).find(({ name }) => name === fieldEvaluation.name)?.variables,
    ).toContainEqual(expect.objectContaining({ name: 'fields' }));
  });

  test('contain every parameter', () => {
    const all = new Set(variablesOf(newest));
    expect(allParameters.filter((variable) => variable.isIn(newest) && !all.has(variable))).toEqual([]);
  });
});

describe('the address of the page', () => {
  const variables = variablesOf(newest);

  test('names a kind, a parameter or a group', () => {
    expect(wantedBy('', variables)).toEqual({ kind: 'all', target: '' });
    expect(wantedBy('unsaved', variables)).toEqual({ kind: 'unsaved', target: '' });
    expect(wantedBy('LocationName', variables)).toEqual({ kind: 'all', target: 'LocationName' });
    expect(wantedBy('Basic settings', variables)).toEqual({ kind: 'all', target: 'Basic settings' });
  });

  test('shows the states if it names one', () => {
    expect(wantedBy('CurrentTempDev', variables)).toEqual({ kind: 'read-only', target: 'CurrentTempDev' });
  });
});

test('the filter finds words of the name, the group and the description, in any case', () => {
  const variable = find('TSCTCSrvAddr');
  expect(
    ['', 'ntp', 'address NTP', 'system time', 'tsctc'].map((typed) => mentions(variable, typed)),
  ).toEqual(Array.from({ length: 5 }, () => true));
  expect(mentions(variable, 'ntp port')).toBe(false);
});

describe('what changes', () => {
  const factory = (variable: Variable<unknown>) => factoryValueOf(variable, newest);

  test('is told part by part, in words', () => {
    const variables = [find('TSCTCupdatetime'), find('LFPparticle'), find('AutoStartMeasure')];
    const now = new Map<string, unknown>([
      ['TSCTCupdatetime', 60],
      ['LFPparticle', { bEnable: true, uiThreshold: 500 }],
      ['AutoStartMeasure', true],
    ]);
    expect(changesTo(variables, ({ name }) => now.get(name), factory)).toEqual([
      'TSCTCupdatetime: 60 s → 600 s',
      'LFPparticle.bEnable: On → Off',
    ]);
  });

  test('is told shortly of a parameter with many parts', () => {
    const variable = find('PortConfiguration');
    const ports = variable.type.fromJson(variable.type.initial, '');
    const changed = Array.isArray(ports) ? ports.map((port) => ({ ...port, Name: 'X' })) : [];
    const lines = changesTo([variable], () => changed, factory);
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toBe('PortConfiguration: … and 2 more');
  });

  test('leaves out what is not known', () => {
    expect(changesTo([find('LocationName')], () => undefined, factory)).toEqual([]);
  });
});

const stored = (state: 'waiting' | 'known' | 'unavailable', unsaved?: readonly string[]) => ({
  state: signal(state),
  unsaved: signal(unsaved),
});

test('nobody reads that everything is saved before all was compared', () => {
  expect(savedWords(stored('waiting'))).toBe('Comparing with the stored parameters …');
  expect(savedWords(stored('known'))).toBe('Comparing with the stored parameters …');
  expect(savedWords(stored('unavailable'))).toBe('This scanner does not tell what is unsaved.');
  expect(savedWords(stored('known', []))).toBe('Everything is saved.');
});

test('what is only compared still is not called untold', () => {
  expect(unknownWords(stored('waiting'))).toContain('still being compared');
  expect(unknownWords(stored('unavailable'))).toContain('does not tell');
});
