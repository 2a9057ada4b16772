import { DeviceStatus } from '@azimuth/model';
import { expect, test } from 'vitest';
import { byTrouble, conditionOf, summaryOf } from '../../src/scanners/condition.js';

const live = { kind: 'live' } as const;
const unreachable = { kind: 'unreachable', since: 0, why: 'no answer' } as const;

test('a scanner that does not answer is in trouble, whatever it told before', () => {
  expect(conditionOf(unreachable, DeviceStatus.DS_NormalOperation, false)).toMatchObject({
    severity: 'bad',
    word: 'Gone',
  });
});

test('a scanner that measures needs nothing', () => {
  expect(conditionOf(live, DeviceStatus.DS_NormalOperation, false)).toMatchObject({
    severity: 'good',
    advice: '',
  });
});

test('heat is told unless something worse is', () => {
  expect(conditionOf(live, DeviceStatus.DS_NormalOperation, true)).toMatchObject({ word: 'Too hot' });
  expect(conditionOf(live, DeviceStatus.DS_FatalError, true)).toMatchObject({ word: 'Fatal error' });
});

test('those with trouble stand first, then they are sorted by name, with numbers as numbers', () => {
  const good = conditionOf(live, DeviceStatus.DS_NormalOperation, false);
  const cards = [
    { title: 'Gate 10', condition: good },
    { title: 'Gate 2', condition: good },
    { title: 'Hall', condition: conditionOf(unreachable, undefined, false) },
  ];
  expect(cards.toSorted(byTrouble).map(({ title }) => title)).toEqual(['Hall', 'Gate 2', 'Gate 10']);
});

test('a list says that none needs you only when all are known', () => {
  const good = conditionOf(live, DeviceStatus.DS_NormalOperation, false);
  const unknown = conditionOf({ kind: 'connecting' }, undefined, false);
  const bad = conditionOf(unreachable, undefined, false);
  expect(summaryOf([good, good])).toBe('2 scanners. None needs you.');
  expect(summaryOf([good, unknown])).toBe('2 scanners. Connecting to 1 …');
  expect(summaryOf([bad, unknown, good])).toBe('1 of 3 scanners needs you. Connecting to 1 …');
  expect(summaryOf([bad, bad, good])).toBe('2 of 3 scanners need you.');
});

test('a scanner that has told how it is is shown so, also while its news do not come yet', () => {
  const connecting = { kind: 'connecting' } as const;
  expect(conditionOf(connecting, DeviceStatus.DS_NormalOperation, false).word).toBe('Measuring');
});
