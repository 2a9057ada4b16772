import { ScannerError } from '@azimuth/client';
import { allVariables, type Variable } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { concerns, refusalBy, refusalOf } from '../../src/forms/refusal.js';

function find(name: string): Variable<unknown> {
  const variable = allVariables.find((one) => one.name === name);
  if (variable === undefined) throw new Error(`${name} is not declared`);
  return variable;
}

describe('before a value is sent', () => {
  test('the model says why it refuses it, and where in the value', () => {
    expect(refusalBy(find('EtherIPAddress'), [192, 168, 0, 300])).toEqual({
      at: '[3]',
      reason: 'expected 0 to 255, got 300',
    });
    expect(refusalBy(find('TSCTCupdatetime'), 0)).toEqual({ at: '', reason: 'expected 1 to 3600, got 0' });
  });

  test('members that do not go together are refused at one of them', () => {
    const value = { upperThreshold: 50, lowerThreshold: 50 };
    expect(refusalBy(find('temperatureAlarmConfiguration'), value)?.at).toBe('.lowerThreshold');
  });

  test('a good value is not refused', () => {
    expect(refusalBy(find('AutoStartMeasure'), false)).toBeUndefined();
  });
});

describe('after a scanner refused a value', () => {
  const error = (detail: string, status = 6) =>
    new ScannerError('PortConfiguration', status, 'Out Of Range', detail);

  test('its detail says where and why', () => {
    expect(
      refusalOf('PortConfiguration', error('PortConfiguration[2].Name: expected 0 to 20: got 30')),
    ).toEqual({
      at: '[2].Name',
      reason: 'expected 0 to 20: got 30',
    });
  });

  test('a detail without a place concerns the whole value', () => {
    expect(refusalOf('PortConfiguration', error('not now: an update runs'))).toEqual({
      at: '',
      reason: 'not now: an update runs',
    });
  });

  test('a scanner that says nothing more is quoted', () => {
    expect(refusalOf('PortConfiguration', error(''))?.reason).toBe('PortConfiguration: Out Of Range (6)');
  });

  test('a wrong password is not the fault of the value', () => {
    expect(refusalOf('PortConfiguration', error('', 4))).toBeUndefined();
    expect(refusalOf('PortConfiguration', new TypeError('broken'))).toBeUndefined();
  });
});

test('a refusal concerns its place and all places around it', () => {
  const refusal = { at: '[1].Points[2].x', reason: '' };
  expect(
    ['', '[1]', '[1].Points', '[1].Points[2]', '[1].Points[2].x'].map((at) => concerns(refusal, at)),
  ).toEqual(Array.from({ length: 5 }, () => true));
  expect(['[2]', '[1].Point', '[1].Points[2].x.y'].map((at) => concerns(refusal, at))).toEqual([
    false,
    false,
    false,
  ]);
  expect(concerns(undefined, '')).toBe(false);
});
