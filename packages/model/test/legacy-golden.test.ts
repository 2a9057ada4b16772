import { describe, expect, test } from 'vitest';
import {
  basicSettings,
  dataReduction,
  device,
  filter,
  inputsAndOutputs,
  measurementDataOutput,
  status,
} from '../src/index.js';
import { fromHex, fromText, hexOf, textOf } from './coding.js';

// Values that drivers and devices of this interface family put behind the name of a variable on interface A and B.

const { FREchoFilter } = filter.members;
const { LFPangleRangeFilter } = dataReduction.members;
const { PerformanceProfileNumber } = basicSettings.members;
const { ScanDataEthSettings, ScanDataEnable, ScanDataFormat } = measurementDataOutput.members;

const { DeviceIdent, FirmwareVersion, LocationName } = device.members;

const identity = { Name: 'picoScan', Version: '2.3.3' } as const;
const toThisHost = { Protocol: 1, IPAddress: [127, 0, 0, 1], Port: 2115 } as const;

const narrowed = {
  bEnable: false,
  fThetaStart: -1_380_000,
  fThetaStop: 1_380_000,
  fPhiStart: -900_000,
  fPhiStop: 900_000,
  uiBeamIncrement: 1,
};

describe('a driver on the text interface', () => {
  test('sets the destination of scan data with signed decimals', () => {
    expect(fromText(ScanDataEthSettings.type, '1 +127 +0 +0 +1 +2115')).toEqual(toThisHost);
    expect(fromText(ScanDataEthSettings.type, '1 7F 0 0 1 843')).toEqual(toThisHost);
  });

  test('reads the destination of scan data as hex', () => {
    expect(textOf(ScanDataEthSettings.type, toThisHost)).toBe('1 7F 0 0 1 843');
  });

  test('sets and reads the telegram format, the echo filter and the switch of the stream', () => {
    expect(fromText(ScanDataFormat.type, '2')).toBe(2);
    expect(fromText(FREchoFilter.type, '2')).toBe(2);
    expect(textOf(FREchoFilter.type, 2)).toBe('2');
    expect(fromText(ScanDataEnable.type, '1')).toBe(true);
  });

  test('sets the performance profile as hex', () => {
    expect(fromText(PerformanceProfileNumber.type, 'A')).toBe(10);
    expect(textOf(PerformanceProfileNumber.type, 10)).toBe('A');
  });

  test('reads the angle range filter as six values, negative angles as two’s complement', () => {
    const text = '0 FFEAF160 150EA0 FFF24460 DBBA0 1';
    expect(textOf(LFPangleRangeFilter.type, narrowed)).toBe(text);
    expect(fromText(LFPangleRangeFilter.type, text)).toEqual(narrowed);
  });

  test('sets the angle range filter with padded hex', () => {
    expect(fromText(LFPangleRangeFilter.type, '1 FFF24460 000DBBA0 FFF24460 000DBBA0 1')).toEqual({
      ...narrowed,
      bEnable: true,
      fThetaStart: -900_000,
      fThetaStop: 900_000,
    });
  });

  test('reads strings with their length in front', () => {
    expect(textOf(LocationName.type, 'not defined')).toBe('B not defined');
    expect(fromText(LocationName.type, 'B not defined')).toBe('not defined');
    expect(textOf(FirmwareVersion.type, '1.0.0.0R')).toBe('8 1.0.0.0R');
  });

  test('reads the identity of the device as two strings', () => {
    expect(textOf(DeviceIdent.type, identity)).toBe('8 picoScan 5 2.3.3');
    expect(fromText(DeviceIdent.type, '8 picoScan 5 2.3.3')).toEqual(identity);
  });

  test('switches with 1 and 0', () => {
    expect(textOf(ScanDataEnable.type, true)).toBe('1');
    expect(textOf(ScanDataEnable.type, false)).toBe('0');
    expect(fromText(ScanDataEnable.type, '0')).toBe(false);
    expect(fromText(ScanDataEnable.type, '+1')).toBe(true);
    expect(fromText(ScanDataEnable.type, '01')).toBe(true);
  });
});

describe('a driver on the binary interface', () => {
  test('sets the destination of scan data', () => {
    const payload = '01 7f 00 00 01 08 43';
    expect(fromHex(ScanDataEthSettings.type, payload)).toEqual(toThisHost);
    expect(hexOf(ScanDataEthSettings.type, toThisHost)).toBe(payload);
  });

  test('sets and reads values of one byte', () => {
    expect(fromHex(ScanDataFormat.type, '02')).toBe(2);
    expect(fromHex(FREchoFilter.type, '02')).toBe(2);
    expect(hexOf(FREchoFilter.type, 2)).toBe('02');
    expect(fromHex(PerformanceProfileNumber.type, '0a')).toBe(10);
    expect(fromHex(ScanDataEnable.type, '01')).toBe(true);
    expect(hexOf(status.members.SCdevicestate.type, 1)).toBe('01');
  });

  test('switches with one byte', () => {
    expect(hexOf(ScanDataEnable.type, true)).toBe('01');
    expect(hexOf(ScanDataEnable.type, false)).toBe('00');
    expect(fromHex(ScanDataEnable.type, '00')).toBe(false);
  });

  test('reads strings with their length in two bytes in front', () => {
    const place = '00 0b 6e 6f 74 20 64 65 66 69 6e 65 64';
    expect(hexOf(LocationName.type, 'not defined')).toBe(place);
    expect(fromHex(LocationName.type, place)).toBe('not defined');
    expect(hexOf(FirmwareVersion.type, 'V3.13')).toBe('00 05 56 33 2e 31 33');
    const type = '00 08 70 69 63 6f 53 63 61 6e 00 05 32 2e 33 2e 33';
    expect(hexOf(DeviceIdent.type, identity)).toBe(type);
    expect(fromHex(DeviceIdent.type, type)).toEqual(identity);
  });

  test('reads the angle range filter', () => {
    const payload = '00 ff ea f1 60 00 15 0e a0 ff f2 44 60 00 0d bb a0 00 01';
    expect(hexOf(LFPangleRangeFilter.type, narrowed)).toBe(payload);
    expect(fromHex(LFPangleRangeFilter.type, payload)).toEqual(narrowed);
  });
});

describe('the port configuration', () => {
  const { PortConfiguration } = inputsAndOutputs.members;

  const input = {
    PortType: 0,
    Name: 'IOx',
    InputSettings: { Logic: 0, Debounce: 10, Sensitivity: 0, Reserved1: 0, Reserved2: 0 },
    OutputSettings: {
      Logic: 0,
      OutputMode: 0,
      RestartType: 0,
      RestartTime: 200,
      RestartInput: 1,
      Combination: 1,
      Reserved3: 0,
      Reserved4: 0,
      Sources: [],
    },
    EncoderPortType: 0,
    Reserved8: 0,
    Reserved9: 0,
    Reserved10: 0,
  } as const;

  const gate = {
    PortType: 1,
    Name: 'Gate 3',
    InputSettings: { Logic: 1, Debounce: 300, Sensitivity: 1, Reserved1: 1, Reserved2: 2 },
    OutputSettings: {
      Logic: 1,
      OutputMode: 2,
      RestartType: 1,
      RestartTime: 600_000,
      RestartInput: 8,
      Combination: 2,
      Reserved3: 3,
      Reserved4: 4,
      Sources: [
        { Name: 'FE01', Invert: true, Reserved5: 5, Reserved6: 6 },
        { Name: 'DRDY', Invert: false, Reserved5: 0, Reserved6: 0 },
      ],
    },
    EncoderPortType: 4,
    Reserved8: 8,
    Reserved9: 9,
    Reserved10: 10,
  } as const;

  // Type, name; input: logic, debounce, sensitivity, two reserved; output: logic, mode, restart type, restart time,
  // restart input, combination, two reserved, number of sources; encoder port type, three reserved.
  const inputHex =
    '00 00 03 49 4f 78 00 00 0a 00 00 00 00 00 00 00 00 00 00 00 c8 00 01 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00';
  const gateHex =
    '01 00 06 47 61 74 65 20 33 01 01 2c 01 00 01 00 02 01 02 01 00 09 27 c0 00 08 02 00 03 00 04 ' +
    '00 02 46 45 30 31 01 05 06 44 52 44 59 00 00 00 00 04 00 08 00 09 00 0a';

  const ports = [gate, ...Array.from({ length: 7 }, () => input)];

  test('is its eight ports one after the other on the binary interface', () => {
    const payload = [gateHex, ...Array.from({ length: 7 }, () => inputHex)].join(' ');
    expect(hexOf(PortConfiguration.type, ports)).toBe(payload);
    expect(fromHex(PortConfiguration.type, payload)).toEqual(ports);
  });

  test('is its eight ports one after the other on the text interface', () => {
    const inputText = '0 3 IOx 0 A 0 0 0 0 0 0 C8 1 1 0 0 0 0 0 0 0';
    const gateText = '1 6 Gate 3 1 12C 1 1 2 1 2 1 927C0 8 2 3 4 2 FE01 1 5 6 DRDY 0 0 0 4 8 9 A';
    const text = [gateText, ...Array.from({ length: 7 }, () => inputText)].join(' ');
    expect(textOf(PortConfiguration.type, ports)).toBe(text);
    expect(fromText(PortConfiguration.type, text)).toEqual(ports);
  });
});
