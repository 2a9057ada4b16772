import { extensions } from '@azimuth/model';
import { expect, test } from 'vitest';
import { type Condition, Conditions } from '../../src/lifecycle/conditions.js';

/** Conditions, the gravest first, with their DeviceStatus and SCdevicestate (0 busy, 1 ready, 2 error). */
const table = [
  ['DS_FatalError', 8, 2],
  ['DS_Startup', 1, 0],
  ['DS_ServiceMode', 2, 0],
  ['DS_RecoverableError', 7, 2],
  ['DS_ServiceRequired', 6, 2],
  ['DS_SuspendedOperation', 4, 0],
  ['DS_ServiceRecommended', 5, 1],
] as const satisfies readonly (readonly [Condition, number, number])[];

test('without a condition the scanner is in normal operation, and ready', () => {
  const conditions = new Conditions(() => {});
  expect([conditions.deviceStatus, conditions.shortState]).toEqual([3, 1]);
});

test.each(table)(
  '%s alone is DeviceStatus %d and SCdevicestate %d',
  (condition, deviceStatus, shortState) => {
    const conditions = new Conditions(() => {});
    conditions.set(condition, 'reason', true);
    expect([conditions.deviceStatus, conditions.shortState]).toEqual([deviceStatus, shortState]);
    conditions.set(condition, 'reason', false);
    expect([conditions.deviceStatus, conditions.shortState]).toEqual([3, 1]);
  },
);

test('of several the gravest shows, and as it ends the next one', () => {
  const conditions = new Conditions(() => {});
  const orders = [table, table.toReversed()];
  for (const order of orders) {
    for (const [condition] of order) conditions.set(condition, 'reason', true);
    for (const [condition, deviceStatus, shortState] of table) {
      expect([conditions.deviceStatus, conditions.shortState]).toEqual([deviceStatus, shortState]);
      conditions.set(condition, 'reason', false);
    }
    expect(conditions.deviceStatus).toBe(3);
  }
});

test('a condition holds as long as any of its reasons does', () => {
  const conditions = new Conditions(() => {});
  conditions.set('DS_RecoverableError', 'one', true);
  conditions.set('DS_RecoverableError', 'one', true);
  conditions.set('DS_RecoverableError', 'other', true);
  conditions.set('DS_RecoverableError', 'one', false);
  expect(conditions.deviceStatus).toBe(7);
  conditions.set('DS_RecoverableError', 'unknown', false);
  expect(conditions.deviceStatus).toBe(7);
  conditions.set('DS_RecoverableError', 'other', false);
  expect(conditions.deviceStatus).toBe(3);
});

test('a change is reported when the status differs, and only then', () => {
  const reported: number[] = [];
  const conditions: Conditions = new Conditions(() => reported.push(conditions.deviceStatus));
  conditions.set('DS_ServiceRecommended', 'sector 1', true);
  conditions.set('DS_ServiceRecommended', 'sector 2', true);
  conditions.set('DS_ServiceRequired', 'sector 3', true);
  conditions.set('DS_ServiceRecommended', 'sector 1', false);
  conditions.set('DS_ServiceRecommended', 'sector 2', false);
  conditions.set('DS_ServiceRequired', 'sector 3', false);
  expect(reported).toEqual([5, 6, 3]);
});

test('every reason that comes or goes is reported, also if the status stays', () => {
  const reported: unknown[] = [];
  const conditions: Conditions = new Conditions(
    () => undefined,
    () => reported.push(conditions.state.map(({ Status, Reason }) => `${Status} ${Reason}`)),
  );
  conditions.set('DS_RecoverableError', 'too hot', true);
  conditions.set('DS_RecoverableError', 'too hot', true);
  conditions.set('DS_ServiceRecommended', 'system plug', true);
  conditions.set('DS_RecoverableError', 'no\nencoder\ud800', true);
  conditions.set('DS_RecoverableError', 'too hot', false);
  conditions.set('DS_RecoverableError', 'too hot', false);
  expect(reported).toEqual([
    ['7 too hot'],
    ['7 too hot', '5 system plug'],
    ['7 too hot', '7 no encoder ', '5 system plug'],
    ['7 no encoder ', '5 system plug'],
  ]);
});

test('the reasons for people are a value of their variable, however many and long', () => {
  const conditions = new Conditions(() => undefined);
  for (let number = 0; number < 60; number++) {
    conditions.set('DS_RecoverableError', `${number} ${'🔥'.repeat(300)}`, true);
  }
  const { state } = conditions;
  expect(state).toHaveLength(50);
  expect(extensions.members.conditions.type.fromJson(state, 'conditions')).toEqual(state);
});
