import {
  EncoderPort,
  InputSensitivity,
  OutputMode,
  OutputRestart,
  PortLogic,
  PortType,
  SourceCombination,
} from '@azimuth/model';
import { plainPort } from '@azimuth/test-support/port-configuration';
import { describe, expect, test } from 'vitest';
import { withValue } from '../../src/forms/value-path.js';
import { fieldNamesIn, liveStateOf, type Port, portWords } from '../../src/ports/port-words.js';

function input(settings: Partial<Port['InputSettings']>): Port {
  return { ...plainPort, InputSettings: { ...plainPort.InputSettings, ...settings } };
}

function output(names: readonly string[], settings: Partial<Port['OutputSettings']> = {}): Port {
  const Sources = names.map((name) => ({
    Name: name.replace('!', ''),
    Invert: name.startsWith('!'),
    Reserved5: 0,
    Reserved6: 0,
  }));
  return {
    ...plainPort,
    PortType: PortType.OUTPUT,
    OutputSettings: { ...plainPort.OutputSettings, ...settings, Sources },
  };
}

describe('an input in words', () => {
  test('says which level counts, and after which time', () => {
    expect(
      portWords(input({ Logic: PortLogic.ACTIVE_LOW, Debounce: 50, Sensitivity: InputSensitivity.LEVEL })),
    ).toBe('Active while the signal is low. A change counts after 50 ms.');
    expect(portWords(input({}))).toContain('from a change of the signal to high until it changes back');
  });
});

describe('an output in words', () => {
  test('names what it follows', () => {
    expect(portWords(output(['FE03']), new Map([[3, 'Gate']]))).toContain(
      'Active while field 3 (Gate) is infringed.',
    );
    expect(portWords(output(['!DRDY']))).toContain('Active while the scanner is not ready.');
    expect(portWords(output([]))).toContain('Never active');
    expect(portWords(output(['    ']))).toContain('Never active');
    expect(portWords(output(['WHAT']))).toContain('Active while WHAT.');
  });

  test.each([
    [SourceCombination.AND, 'Active while field 1 is infringed, and input 2 is active.'],
    [SourceCombination.OR, 'Active while field 1 is infringed, or input 2 is active.'],
    [
      SourceCombination.XOR,
      'Active while an odd number of these holds: field 1 is infringed; input 2 is active.',
    ],
  ])('combines its sources by combination %i', (Combination, words) => {
    expect(portWords(output(['FE01', 'IN02'], { Combination }))).toContain(words);
  });

  test.each([
    [
      { RestartType: OutputRestart.RESTART_TIME, RestartTime: 2000 },
      'infringed, and for 2000 ms after that.',
    ],
    [
      { RestartType: OutputRestart.RESTART_INPUT, RestartInput: 4 },
      'after that until input 4 becomes active.',
    ],
  ])('says how long it stays active: %o', (settings, words) => {
    expect(portWords(output(['FE01'], settings))).toContain(words);
  });

  test.each([
    [OutputMode.PNP, PortLogic.ACTIVE_HIGH, 'high while active, otherwise open'],
    [OutputMode.NPN, PortLogic.ACTIVE_HIGH, 'low while active, otherwise open'],
    [OutputMode.PUSH_PULL, PortLogic.ACTIVE_HIGH, 'high while active, otherwise low'],
    [OutputMode.PNP, PortLogic.ACTIVE_LOW, 'open while active, otherwise high'],
    [OutputMode.PUSH_PULL, PortLogic.ACTIVE_LOW, 'low while active, otherwise high'],
  ])('says its signal with driver %i and logic %i', (mode, Logic, words) => {
    expect(portWords(output(['FE01'], { OutputMode: mode, Logic }))).toContain(words);
  });
});

test('an encoder port says which line of the encoder it is', () => {
  const port = { ...plainPort, PortType: PortType.ENCODER };
  expect(portWords({ ...port, EncoderPortType: EncoderPort.ENCODER_B })).toBe('Track B of the encoder.');
  expect(portWords({ ...port, EncoderPortType: EncoderPort.NONE })).toContain('without a use');
});

test('fields have names if somebody has given them', () => {
  const definitions = { evaluations: [{ Id: 1, Name: 'Gate' }, { Id: 2, Name: ' ' }, { Id: 3 }] };
  expect([...fieldNamesIn(definitions)]).toEqual([[1, 'Gate']]);
  expect(fieldNamesIn(undefined).size).toBe(0);
});

describe('the state of a port', () => {
  const values: Readonly<Record<string, unknown>> = {
    PortState: {
      aInternalPorts: [
        { ePortState: 3, PortCounter: 7 },
        { ePortState: 0, PortCounter: 0 },
        { ePortState: 2, PortCounter: 0 },
        { ePortState: 4, PortCounter: 1 },
      ],
    },
  };
  const value = (name: string) => values[name];

  test('is active with its signal and its count', () => {
    expect(liveStateOf(0, input({}), value)).toEqual({
      kind: 'known',
      active: true,
      signal: 'high',
      count: 7,
    });
    expect(liveStateOf(1, output([]), value)).toEqual({
      kind: 'known',
      active: false,
      signal: 'open',
      count: 0,
    });
    const pulls = {
      ...output([]),
      OutputSettings: { ...output([]).OutputSettings, OutputMode: OutputMode.PUSH_PULL },
    };
    expect(liveStateOf(1, pulls, value)).toMatchObject({ signal: 'low' });
  });

  test('has the signal of an input that its logic tells, and none for an inactive one that waits for an edge', () => {
    const level = InputSensitivity.LEVEL;
    const low = PortLogic.ACTIVE_LOW;
    expect(liveStateOf(0, input({ Logic: low }), value)).toMatchObject({ signal: 'low' });
    expect(liveStateOf(3, input({ Sensitivity: level }), value)).toMatchObject({ signal: 'low' });
    expect(liveStateOf(3, input({ Sensitivity: level, Logic: low }), value)).toMatchObject({
      signal: 'high',
    });
    expect(liveStateOf(3, input({}), value)).toMatchObject({ active: false, signal: undefined, count: 1 });
  });

  test('is missing if an input or output is neither active nor inactive: the plug has no such port', () => {
    const missing = { kind: 'missing' };
    expect([liveStateOf(2, input({}), value), liveStateOf(2, output([]), value)]).toEqual([missing, missing]);
    expect(liveStateOf(2, { ...plainPort, PortType: PortType.ENCODER }, value)).toEqual({
      kind: 'unavailable',
    });
  });

  test('is not known for encoder ports, and while nothing was read', () => {
    const unknown = { kind: 'unavailable' };
    expect(liveStateOf(0, { ...plainPort, PortType: PortType.ENCODER }, value)).toEqual(unknown);
    expect(liveStateOf(0, input({}), () => undefined)).toEqual(unknown);
    expect(liveStateOf(5, input({}), value)).toEqual(unknown);
  });
});

test('a part of the settings is replaced, the rest stays', () => {
  expect(withValue({ a: { b: 1, c: 2 }, d: 3 }, ['a', 'b'], 5)).toEqual({ a: { b: 5, c: 2 }, d: 3 });
});
