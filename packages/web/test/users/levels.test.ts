import { builtInInterface, type LoginLevel, loginLevels } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/connection/history.js';
import { isOn, rightsOf } from '../../src/users/level-rights.js';
import { doubtAbout, passwordProblem } from '../../src/users/passwords.js';

describe('rights', () => {
  test('a release has only the methods that it knows', () => {
    const now = rightsOf('Service', { release: '2.4.4', variant: 'full', known: builtInInterface });
    expect(now.calls).toContain('EnableUserLevel');
    expect(
      rightsOf('Service', { release: '1.4.0', variant: 'full', known: builtInInterface }).calls,
    ).not.toContain('EnableUserLevel');
  });

  test('nothing is listed at two levels', () => {
    const names = loginLevels.flatMap((level) => {
      const { writes, calls } = rightsOf(level, {
        release: '2.4.4',
        variant: 'full',
        known: builtInInterface,
      });
      return [...writes, ...calls];
    });
    expect(names.length).toBeGreaterThan(50);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('which levels are on', () => {
  const nothing = { canSwitch: true, loggedIn: undefined, changes: [] };
  const switched = (userLevel: number, isEnabled: boolean): Change => ({
    kind: 'call',
    url: 'http://127.0.0.1:8080',
    level: 'Service',
    at: new Date(0),
    name: 'EnableUserLevel',
    request: { userLevel, isEnabled },
  });

  test('Service always is, and all of them where levels cannot be switched', () => {
    expect(isOn('Service', nothing)).toBe(true);
    expect(isOn('Maintenance', { ...nothing, canSwitch: false })).toBe(true);
  });

  test('it is not guessed for other levels', () => {
    expect(isOn('Maintenance', nothing)).toBeUndefined();
  });

  test('the last switch of this visit counts', () => {
    const changes = [switched(2, true), switched(2, false), switched(3, true)];
    expect(isOn('Maintenance', { ...nothing, changes })).toBe(false);
    expect(isOn('AuthorizedClient', { ...nothing, changes })).toBe(true);
  });

  test('a level that is logged in is on', () => {
    const loggedIn: LoginLevel = 'Maintenance';
    expect(isOn('Maintenance', { ...nothing, loggedIn })).toBe(true);
    expect(isOn('AuthorizedClient', { ...nothing, loggedIn })).toBeUndefined();
  });
});

describe('a new password', () => {
  test('is not empty, and is the same twice', () => {
    expect(passwordProblem('', '')).toMatch(/empty/);
    expect(passwordProblem('one', 'other')).toMatch(/differ/);
    expect(passwordProblem('one', 'one')).toBeUndefined();
  });

  test('raises a doubt if it is the public one of its level', () => {
    expect(doubtAbout('Service', 'servicelevel')).toMatch(/public/);
    expect(doubtAbout('Maintenance', 'servicelevel')).toBeUndefined();
  });
});
