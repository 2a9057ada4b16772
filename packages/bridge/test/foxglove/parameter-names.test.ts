import { builtInInterface } from '@azimuth/model';
import { describe, expect, it } from 'vitest';
import { flattened, parameterPath, withMember } from '../../src/foxglove/parameter-names.js';

const shapeOf = (name: string) => builtInInterface.variable(name)?.type.shape;

describe('parameters of Foxglove', () => {
  it('are the members of a structure, and lists as a whole', () => {
    const value = { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 2115 };
    expect(flattened('hall/ScanDataEthSettings', value, shapeOf('ScanDataEthSettings'))).toEqual([
      { name: 'hall/ScanDataEthSettings.Protocol', value: 1 },
      { name: 'hall/ScanDataEthSettings.IPAddress', value: [192, 168, 0, 100] },
      { name: 'hall/ScanDataEthSettings.Port', value: 2115 },
    ]);
    expect(flattened('a', [{ b: null }], undefined)).toEqual([{ name: 'a', value: [{ b: undefined }] }]);
  });

  it('state the type of numbers that are not whole by their type', () => {
    expect(flattened('CurrentTempDev', 20, shapeOf('CurrentTempDev'))).toEqual([
      { name: 'CurrentTempDev', value: 20, type: 'float64' },
    ]);
  });

  it('change one member of a value, and never one that is not there', () => {
    const value = { a: { b: 1, c: 2 } };
    expect(withMember(value, ['a', 'b'], 3)).toEqual({ a: { b: 3, c: 2 } });
    expect(withMember(value, ['a', '__proto__'], 3)).toBeUndefined();
    expect(withMember(value, ['toString'], 3)).toBeUndefined();
    expect(withMember(undefined, [], 'whole')).toBe('whole');
    expect(parameterPath('x/fields.groups')).toEqual({ variable: 'x/fields', members: ['groups'] });
  });

  it('do not follow structures without end', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`);
    expect(flattened('deep', deep, undefined).map(({ name }) => name.length)).toEqual([20]);
    const lists: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(JSON.stringify(flattened('lists', lists, undefined)).length).toBeLessThan(100);
  });
});
