import { describe, expect, test } from 'vitest';
import {
  isLevel,
  isLoginLevel,
  levelNames,
  levelOfNumber,
  levels,
  levelWithBlanks,
  reaches,
  statuses,
  statusMessage,
} from '../src/index.js';

describe('the user levels', () => {
  test('are five in ascending order', () => {
    expect(levels).toEqual({ Run: 0, Operator: 1, Maintenance: 2, AuthorizedClient: 3, Service: 4 });
    expect(levelNames.map((name) => levels[name])).toEqual([0, 1, 2, 3, 4]);
    expect(levelOfNumber(3)).toBe('AuthorizedClient');
    expect(levelOfNumber(5)).toBeUndefined();
    expect(levelOfNumber(-1)).toBeUndefined();
  });

  test('include the rights of lower levels', () => {
    expect(reaches('Service', 'AuthorizedClient')).toBe(true);
    expect(reaches('AuthorizedClient', 'AuthorizedClient')).toBe(true);
    expect(reaches('Maintenance', 'AuthorizedClient')).toBe(false);
  });

  test('have passwords from Maintenance on', () => {
    expect(levelNames.filter(isLoginLevel)).toEqual(['Maintenance', 'AuthorizedClient', 'Service']);
  });

  test('are named exactly; blanks in a name are a slip that is told apart', () => {
    expect(isLevel('AuthorizedClient')).toBe(true);
    expect(isLevel('authorizedclient')).toBe(false);
    expect(isLevel('toString')).toBe(false);
    expect(levelWithBlanks('Authorized Client')).toBe('AuthorizedClient');
    expect(levelWithBlanks(' Service')).toBe('Service');
    expect(levelWithBlanks('Service')).toBeUndefined();
    expect(levelWithBlanks('Some Body')).toBeUndefined();
  });
});

describe('a status number', () => {
  test('has its message, and an unknown number has none', () => {
    expect(Object.values(statuses).map(({ code, message }) => `${code} ${message}`)).toEqual([
      '0 Ok',
      '1 Parsing Failed',
      '2 Invalid Data',
      '3 Internal Server Error',
      '4 Access Denied',
      '5 Not Found',
      '6 Out Of Range',
      '7 Out Of Bounds',
      '8 Read Only',
      '9 Illegal Value',
      '10 Invalid Challenge',
      '11 Out Of Connections',
    ]);
    expect(statusMessage(4)).toBe('Access Denied');
    expect(statusMessage(12)).toBeUndefined();
  });
});
