import { DeviceStatus } from '@azimuth/model';
import { expect, test } from 'vitest';
import { conditionOf } from '../../src/overview/condition.js';

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

test('a scanner that has told how it is is shown so, also while its news do not come yet', () => {
  const connecting = { kind: 'connecting' } as const;
  expect(conditionOf(connecting, undefined, false).word).toBe('Connecting');
  expect(conditionOf(connecting, DeviceStatus.DS_NormalOperation, false).word).toBe('Measuring');
});
