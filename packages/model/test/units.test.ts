import { expect, test } from 'vitest';
import { allVariables, extensionVariables, type Shape } from '../src/index.js';

const variables = [...allVariables, ...extensionVariables];

/**
 * Returns the names of all members that hold numbers, at any depth; an empty name for a value that is a number itself.
 */
function numbersIn(shape: Shape, name = ''): readonly string[] {
  switch (shape.kind) {
    case 'integer':
    case 'float':
      return [name];
    case 'array':
      return numbersIn(shape.of, name);
    case 'struct':
      return Object.entries(shape.members).flatMap(([member, { shape: of }]) => numbersIn(of, member));
    default:
      return [];
  }
}

test('a unit of several parts says which member has which', () => {
  for (const { name, facts } of variables) {
    if (facts.unit?.includes(';') !== true) continue;
    expect([...new Set(Object.values(facts.units ?? {}))].sort(), name).toEqual(
      facts.unit.split('; ').sort(),
    );
  }
});

test('units are stated of numbers, and of nothing else', () => {
  for (const { name, type, facts } of variables) {
    const numbers = numbersIn(type.shape);
    if (facts.unit !== undefined) expect(numbers, name).not.toHaveLength(0);
    for (const member of Object.keys(facts.units ?? {})) expect(numbers, name).toContain(member);
  }
});

test('a variable knows the unit of each of its numbers', () => {
  const unitOf = (name: string, member: string) => variables.find((one) => one.name === name)?.unitOf(member);
  expect(unitOf('CurrentTempDev', '')).toBe('°C');
  expect(unitOf('LFPcubicareafilter', 'lXMin')).toBe('mm');
  expect(unitOf('SensorPosition', 'yaw')).toBe('1/10000°');
  expect(unitOf('PortConfiguration', 'RestartTime')).toBe('ms');
  expect(unitOf('PortConfiguration', 'RestartInput')).toBeUndefined();
});
