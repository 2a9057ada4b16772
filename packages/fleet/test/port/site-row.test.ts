import { DeviceStatus } from '@azimuth/model';
import { expect, test } from 'vitest';
import { notAsked } from '../../src/adopted/real-state.js';
import { listedStates, type ScannerSummary } from '../../src/port/scanner-summary.js';
import { siteRow } from '../../src/port/site-row.js';

const virtual: ScannerSummary = {
  ...{ serialNumber: '23000001', group: 'hall', state: 'idle', release: '2.4.4' },
  ...{ path: '/scanners/23000001', url: 'http://10.0.0.1:8080' },
  ports: { http: null, https: null, legacyA: null, legacyB: null },
  ...{ requests: 7, telegrams: 0, unsaved: 0, faults: 0 },
};
const real: ScannerSummary = { ...virtual, state: 'online', isReal: true, location: '', release: '' };
const conditionOf = (summary: ScannerSummary) => {
  const { state, severity, trouble } = siteRow(summary);
  return [severity, state, ...trouble];
};

test('a virtual scanner has the state of its power, or that which it reports', () => {
  expect(conditionOf(virtual)).toEqual(['good', 'On, not used']);
  expect(conditionOf({ ...virtual, state: 'off', faults: 1 })).toEqual(['idle', 'Off']);
  const running = (deviceStatus: number) =>
    conditionOf({ ...virtual, state: 'running', running: { deviceStatus, location: '' } });
  expect(running(DeviceStatus.DS_NormalOperation)).toEqual(['good', 'Measuring']);
  expect(running(DeviceStatus.DS_Startup)).toEqual(['idle', 'Starting']);
  expect(running(DeviceStatus.DS_FatalError)).toEqual(['bad', 'Fatal error']);
  expect(conditionOf({ ...virtual, state: 'failed', failure: 'port 80 is taken' })).toEqual([
    'bad',
    'Failed',
    'port 80 is taken',
  ]);
});

test('planned faults are a trouble, but do not hide a worse one', () => {
  expect(conditionOf({ ...virtual, faults: 1 })).toEqual(['warn', 'On, not used', '1 planned fault']);
  expect(conditionOf({ ...virtual, state: 'failed', failure: 'no', faults: 2 })).toEqual([
    'bad',
    'Failed',
    'no',
    '2 planned faults',
  ]);
});

test('a real scanner has the state that it reports, and its trouble', () => {
  expect(conditionOf({ ...real, deviceStatus: 3 })).toEqual(['good', 'Measuring']);
  expect(conditionOf({ ...real, deviceStatus: 7, trouble: 'its DeviceStatus is 7' })).toEqual([
    'bad',
    'Error',
    'its DeviceStatus is 7',
  ]);
  const gone = { ...real, state: 'unreachable', deviceStatus: 3 } as const;
  expect(conditionOf({ ...gone, trouble: 'refused' })).toEqual(['bad', 'Gone', 'refused']);
  expect(conditionOf({ ...gone, trouble: notAsked.trouble })).toEqual(['idle', 'Connecting']);
  expect(conditionOf({ ...real, state: 'waiting' })).toEqual(['bad', 'No worker', 'no worker runs it now']);
  for (const state of listedStates) expect(siteRow({ ...real, state }).state).not.toBe('');
});

test('a scanner is named by its location, and by its serial number if it has none', () => {
  const named = (location: string) => {
    const { name, location: known } = siteRow({ ...real, location });
    return [name, known];
  };
  expect(named('Gate 3')).toEqual(['Gate 3', 'Gate 3']);
  for (const nothing of ['', 'not defined']) expect(named(nothing)).toEqual(['23000001', undefined]);
  const running = { deviceStatus: 3, location: 'Gate 4' };
  expect(siteRow({ ...virtual, state: 'running', running })).toMatchObject({
    ...{ name: 'Gate 4', location: 'Gate 4', serialNumber: '23000001', group: 'hall', firmware: '2.4.4' },
    ...{ path: '/scanners/23000001', url: 'http://10.0.0.1:8080', unsaved: 0 },
  });
  // What a fleet does not know of a real one.
  expect(siteRow(real)).toMatchObject({ unsaved: undefined, firmware: undefined });
});
