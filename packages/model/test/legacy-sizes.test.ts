import { describe, expect, test } from 'vitest';
import {
  basicSettings,
  contaminationIndication,
  fieldEvaluation,
  imuDataOutput,
  inputsAndOutputs,
  LEDColor,
  LEDFunction,
  type ValueType,
} from '../src/index.js';
import { fromHex, fromText, hexOf, textOf } from './coding.js';

// Sizes and bytes that the maker's telegram listing prints: the command word, the name, a blank and the values.

function sizeOf<T>(head: string, type: ValueType<T>, value: T): number {
  const hex = hexOf(type, value);
  return head.length + 1 + (hex === '' ? 0 : hex.split(' ').length);
}

const { PortConfiguration, InputState, OutputState } = inputsAndOutputs.members;
const { FieldEvaluationResult } = fieldEvaluation.members;
const { InertialMeasurementUnit } = imuDataOutput.members;
const { LEDState } = basicSettings.members;

/** Configuration as delivered: eight ports, four of them outputs that follow one source each. */
const ports = PortConfiguration.type.initial;

const oneTime = { uiYear: 1970, usiMonth: 1, usiDay: 1, usiHour: 0, usiMinute: 13, usiSec: 58 };

describe('FieldEvaluationResult', () => {
  const infringed = {
    Version: 1,
    Timestamp: 0x1d869664,
    EvaluationResultList: [
      { State: 4, Positions: [{ x: 3, y: 5 }] },
      { State: 2, Positions: [] },
    ],
  } as const;

  test('takes 180 bytes as an answer, whatever is infringed', () => {
    expect(sizeOf('sRA FieldEvaluationResult', FieldEvaluationResult.type, infringed)).toBe(180);
    const { initial } = FieldEvaluationResult.type;
    expect(sizeOf('sRA FieldEvaluationResult', FieldEvaluationResult.type, initial)).toBe(180);
  });

  test('has 48 pairs of a state and 0 positions, without a count', () => {
    const text = `1 1D869664 4 0 2 0${' 0 0'.repeat(46)}`;
    expect(textOf(FieldEvaluationResult.type, infringed)).toBe(text);
    const read = fromText(FieldEvaluationResult.type, text);
    expect(read.EvaluationResultList).toHaveLength(48);
    expect(read.EvaluationResultList[0]).toEqual({ State: 4, Positions: [] });
    expect(fromHex(FieldEvaluationResult.type, hexOf(FieldEvaluationResult.type, infringed))).toEqual(read);
  });
});

describe('PortConfiguration', () => {
  test('takes 378 bytes as an answer with eight ports and four sources', () => {
    expect(sizeOf('sRA PortConfiguration', PortConfiguration.type, ports)).toBe(378);
  });

  // The listing prints a sensitivity of 0 in its one port of text, and 1 for every port in its example.
  test('is delivered with ports 1, 2, 7 and 8 as outputs, active while the scanner is ready, and 3 to 6 as inputs', () => {
    const output = (name: string) => `1 6 ${name} 0 A 1 0 0 1 0 0 C8 1 1 0 0 1 DRDY 0 0 0 0 0 0 0`;
    const input = (name: string) => `0 6 ${name} 0 A 1 0 0 0 0 0 C8 1 1 0 0 0 0 0 0 0`;
    expect(textOf(PortConfiguration.type, ports)).toBe(
      [
        ...['InOut1', 'InOut2'].map(output),
        ...['InOut3', 'InOut4', 'InOut5', 'InOut6'].map(input),
        ...['InOut7', 'InOut8'].map(output),
      ].join(' '),
    );
    expect(hexOf(PortConfiguration.type, ports).split(' ').slice(0, 48).join(' ')).toBe(
      [
        ...['01', '00 06 49 6e 4f 75 74 31', '00 00 0a 01 00 00 00 00'],
        ...['01 00 00 00 00 00 c8 00 01 01 00 00 00 00', '00 01 44 52 44 59 00 00 00'],
        '00 00 00 00 00 00 00 00',
      ].join(' '),
    );
  });

  test('takes 41 bytes for each port without sources, of which the last eight are four numbers of 16 bits', () => {
    const hex = hexOf(PortConfiguration.type, ports).split(' ');
    const third = hex.slice(2 * 48, 2 * 48 + 41);
    expect(third.slice(0, 9).join(' ')).toBe('00 00 06 49 6e 4f 75 74 33');
    const encoders = ports.map((port) => ({ ...port, EncoderPortType: 4, Reserved10: 0x1234 }) as const);
    expect(hexOf(PortConfiguration.type, encoders).slice(-23)).toBe('00 04 00 00 00 00 12 34');
  });

  test('is written by telegrams of one to eight ports, and keeps the others', () => {
    const { written } = PortConfiguration.facts;
    if (written === undefined) throw new Error('expected a form for telegrams that write it');
    const renamed = ports.map((port) => ({ ...port, Name: 'other' }));
    for (const count of [1, 3, 8]) {
      const first = renamed.slice(0, count);
      const expected = [...first, ...ports.slice(count)];
      expect(written.over(fromHex(written.type, hexOf(written.type, first)), ports)).toEqual(expected);
      expect(written.over(fromText(written.type, textOf(written.type, first)), ports)).toEqual(expected);
    }
    expect(() => fromHex(written.type, '')).toThrow('expected 1 more bytes');
    expect(() => fromHex(written.type, hexOf(written.type, [...ports, ...ports]))).toThrow('left over');
  });
});

test('LEDState has the names of lamps in eight characters, filled with NUL', () => {
  const lamps = [
    { Color: LEDColor.GREEN, Function: LEDFunction.ON, Id: 'LED2' },
    { Color: LEDColor.YELLOW, Function: LEDFunction.ON, Id: 'LED1' },
  ] as const;
  const text = '2 0 0 LED2\0\0\0\0 1 0 LED1\0\0\0\0';
  expect(textOf(LEDState.type, lamps)).toBe(text);
  expect(fromText(LEDState.type, text)).toEqual(lamps);
  const hex = '00 02 00 00 4c 45 44 32 00 00 00 00 01 00 4c 45 44 31 00 00 00 00';
  expect(hexOf(LEDState.type, lamps)).toBe(hex);
  expect(fromHex(LEDState.type, hex)).toEqual(lamps);
});

test('InputState has eight inputs, and the time behind its count', () => {
  const value = {
    uiVersionNumber: 1,
    udiSystCount: 0x31f99c10,
    aDigitalIn: ([2, 0, 0, 2, 2, 2, 2, 2] as const).map((eIOState) => ({ IOState: { eIOState } })),
    aTimeBlock: [{ ...oneTime, udiUSec: 0x6c278 }],
  };
  expect(textOf(InputState.type, value)).toBe('1 31F99C10 2 0 0 2 2 2 2 2 1 7B2 1 1 0 D 3A 6C278');
  const hex = '000131F99C100200000202020202000107B20101000D3A0006C278';
  expect(hexOf(InputState.type, value).replaceAll(' ', '').toUpperCase()).toBe(hex);
});

test('OutputState has eight pairs of a state and a counter', () => {
  const value = {
    uiVersionNumber: 1,
    udiSystCount: 0x712414b0,
    aDigitalOut: ([1, 1, 2, 2, 2, 2, 2, 2] as const).map((eIOState) => ({
      IOState: { eIOState },
      udiCounter: 0,
    })),
    aTimeBlock: [{ ...oneTime, usiMinute: 31, usiSec: 38, udiUSec: 0x2ea18 }],
  };
  expect(textOf(OutputState.type, value)).toBe(
    '1 712414B0 1 0 1 0 2 0 2 0 2 0 2 0 2 0 2 0 1 7B2 1 1 0 1F 26 2EA18',
  );
});

test('ContaminationConfig takes 16 bytes with seven sectors', () => {
  const { type } = contaminationIndication.members.ContaminationConfig;
  const factory = '00 00 03 00 00 00 07 01 01 01 01 01 01 01 01 01';
  expect(hexOf(type, fromHex(type, factory))).toBe(factory);
  expect(textOf(type, fromHex(type, factory))).toBe('0 3 0 0 7 1 1 1 1 1 1 1 1 1');
});

test('InertialMeasurementUnit takes 54 bytes by the rule of counts, which no source prints', () => {
  const value = {
    Acceleration: [0, 0, 1],
    AngularVelocity: [0, 0, 0],
    Orientation: [1, 0, 0, 0],
    TimeStamp: 1,
  };
  const hex = hexOf(InertialMeasurementUnit.type, value);
  expect(hex.split(' ')).toHaveLength(54);
  expect(hex.startsWith('00 03 00 00 00 00 00 00 00 00 3f 80 00 00 00 03')).toBe(true);
});
