import { allVariables, extensionVariables, releases, type Shape, type Variable } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { differences } from '../../src/forms/differences.js';
import { editableText, valueOfText, whyUnreadable } from '../../src/forms/leaf-control.js';
import { initialValue } from '../../src/forms/value-control.js';
import { isLeaf, valueText } from '../../src/forms/value-text.js';

const variables = [...allVariables, ...extensionVariables];

function find(name: string): Variable<unknown> {
  const variable = variables.find((one) => one.name === name);
  if (variable === undefined) throw new Error(`${name} is not declared`);
  return variable;
}

function textOfVariable(name: string, value: unknown): string {
  const variable = find(name);
  return valueText(variable.type.shape, value, (member) => variable.unitOf(member));
}

/** All shapes within a shape, itself included. */
function shapesIn(shape: Shape): readonly Shape[] {
  if (shape.kind === 'array') return [shape, ...shapesIn(shape.of)];
  if (shape.kind === 'struct')
    return [shape, ...Object.values(shape.members).flatMap(({ shape: of }) => shapesIn(of))];
  return [shape];
}

describe('a value in one line', () => {
  test('is in words, with its unit', () => {
    expect(textOfVariable('EtherAddressingMode', 1)).toBe('DHCP');
    expect(textOfVariable('AutoStartMeasure', false)).toBe('Off');
    expect(textOfVariable('TSCTCupdatetime', 600)).toBe('600 s');
    expect(textOfVariable('EtherIPAddress', [192, 168, 0, 1])).toBe('192.168.0.1');
    expect(textOfVariable('EtherMACAddress', [0, 6, 119, 0, 0, 10])).toBe('00:06:77:00:00:0A');
    expect(textOfVariable('LocationName', '')).toBe('empty');
  });

  test('converts fractions of a unit', () => {
    expect(textOfVariable('OpHours', 125)).toBe('12.5 h');
    expect(textOfVariable('SensorPosition', { x: 5, y: 0, z: 0, yaw: 900_000, pitch: 0, roll: 0 })).toBe(
      'x: 5 mm, y: 0 mm, z: 0 mm, Yaw: 90°, Pitch: 0°, Roll: 0°',
    );
  });

  test('says of an enumeration that it does not know the number', () => {
    expect(textOfVariable('EtherAddressingMode', 7)).toBe('unknown: 7');
  });

  test('is short, however large the value is', () => {
    for (const variable of variables) {
      const value = variable.factoryValue({ release: '2.4.4', createdWith: '2.4.4' });
      expect(textOfVariable(variable.name, value).length, variable.name).toBeLessThanOrEqual(120);
    }
  });
});

describe('a typed text', () => {
  test('is read as the shape', () => {
    expect(valueOfText(leaf('EtherIPAddress'), '10.0.0.7')).toEqual([10, 0, 0, 7]);
    expect(valueOfText(leaf('EncResolution'), '1.50')).toBe(1.5);
    expect(valueOfText(leaf('LocationName'), ' "Gate" ')).toBe(' "Gate" ');
  });

  test('stays a text, with a reason, if nobody can read it', () => {
    expect(valueOfText(leaf('TSCTCupdatetime'), 'ten')).toBe('ten');
    expect(whyUnreadable(leaf('TSCTCupdatetime'), 'ten')).toBe('expected a number, got "ten"');
    expect(whyUnreadable(leaf('TSCTCupdatetime'), '')).toBe('a value is missing');
    expect(whyUnreadable(leaf('TSCTCupdatetime'), '10')).toBeUndefined();
  });

  test('of every factory value means that value', () => {
    for (const variable of variables) {
      const { shape } = variable.type;
      if (!isLeaf(shape) || shape.kind === 'boolean' || shape.kind === 'enumeration') continue;
      const value = variable.factoryValue({ release: '2.4.4', createdWith: '2.4.4' });
      expect(valueOfText(shape, editableText(shape, value)), variable.name).toEqual(value);
    }
  });
});

function leaf(name: string) {
  const { shape } = find(name).type;
  if (!isLeaf(shape)) throw new Error(`${name} has parts`);
  return shape;
}

test('an item that is added is one that the model takes', () => {
  for (const variable of variables) {
    const { shape } = variable.type;
    for (const of of shapesIn(shape)) {
      if (of === shape)
        expect(() => variable.type.fromJson(initialValue(of), ''), variable.name).not.toThrow();
      else expect(initialValue(of), variable.name).toBeDefined();
    }
  }
});

describe('the differences of two values', () => {
  test('are told member by member, in words', () => {
    const { type } = find('temperatureAlarmConfiguration');
    expect(
      differences(
        type.shape,
        { upperThreshold: 55, lowerThreshold: 50 },
        { upperThreshold: 60, lowerThreshold: 50 },
        (member) => find('temperatureAlarmConfiguration').unitOf(member),
      ),
    ).toEqual([{ at: '.upperThreshold', from: '55 °C', to: '60 °C' }]);
  });

  test('of arrays of another length are one', () => {
    const { type } = find('ContaminationData');
    expect(differences(type.shape, [1, 1], [1])).toEqual([{ at: '', from: 'Clean, Clean', to: 'Clean' }]);
  });

  test('are none between factory values of the same release', () => {
    for (const release of releases) {
      for (const variable of variables) {
        const value = () => variable.factoryValue({ release, createdWith: release });
        expect(differences(variable.type.shape, value(), value()), variable.name).toEqual([]);
      }
    }
  });
});
