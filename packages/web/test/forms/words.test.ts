import {
  AddressingMode,
  allVariables,
  ContaminationCover,
  DeviceStatus,
  extensionVariables,
  PerformanceProfile,
  ScanDataFormat,
  type Shape,
  TimeZone,
} from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { spokenName } from '../../src/forms/spoken-name.js';
import { enumerationWords } from '../../src/forms/value-text.js';

const labelsOf = (values: Readonly<Record<string, number>>) => [...enumerationWords(values).values()];

/** All enumerations of the interface, at any depth. */
function enumerationsIn(shape: Shape): readonly Readonly<Record<string, number>>[] {
  if (shape.kind === 'enumeration') return [shape.values];
  if (shape.kind === 'array') return enumerationsIn(shape.of);
  if (shape.kind === 'struct')
    return Object.values(shape.members).flatMap(({ shape: of }) => enumerationsIn(of));
  return [];
}

describe('the words of an enumeration', () => {
  test('leave out what all its names begin with', () => {
    expect(labelsOf(AddressingMode)).toEqual(['Static', 'DHCP']);
    expect(enumerationWords(DeviceStatus).get(3)).toBe('Normal operation');
  });

  test('leave at least one word of each name', () => {
    expect(labelsOf(ContaminationCover)).toEqual(['Cover none', 'Cover', 'Cover custom sectors']);
    expect(labelsOf({ ONLY_ONE: 0 })).toEqual(['Only one']);
  });

  test('keep the spelling of names and abbreviations', () => {
    expect(labelsOf(ScanDataFormat)).toEqual(['MSGPACK', 'Compact', 'LMDscandata', 'Native ROS 2']);
  });

  test('say what a number means where its name does not', () => {
    expect(enumerationWords(PerformanceProfile).get(3)).toBe('3: 20 Hz, 0.1°');
    expect(enumerationWords(TimeZone).get(TimeZone.AMSTERDAM_BERLIN_ROM)).toBe('Europe/Berlin');
  });

  test('are all there and differ from each other, in every enumeration of the interface', () => {
    for (const { name, type } of [...allVariables, ...extensionVariables]) {
      for (const values of enumerationsIn(type.shape)) {
        const words = labelsOf(values);
        expect(words, name).toHaveLength(Object.keys(values).length);
        expect(words, name).not.toContain('');
        if (values !== TimeZone) expect(new Set(words).size, name).toBe(words.length);
      }
    }
  });
});

test('a member is called without the letters of its type', () => {
  const spoken = [
    'usiResponseTime',
    'bEnable',
    'IPAddress',
    'lXMin',
    'x',
    'uiAveragingDepth',
    'upperThreshold',
  ];
  expect(spoken.map((name) => spokenName(name))).toEqual([
    'Response time',
    'Enable',
    'IP address',
    'X min',
    'x',
    'Averaging depth',
    'Upper threshold',
  ]);
});
