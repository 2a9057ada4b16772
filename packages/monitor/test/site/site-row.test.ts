import { DeviceStatus, deviceState } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { conditionKinds } from '../../src/conditions/all-conditions.js';
import { siteRow } from '../../src/site/site-row.js';
import { type ActiveCondition, type ScannerSnapshot, unseen } from '../../src/state/scanner-snapshot.js';
import { snapshotOf } from '../snapshots.js';
import { watching } from '../watch/watching.js';

const place = { path: '/s/0', group: 'hall' };
const rowOf = (different: Partial<ScannerSnapshot> = {}) => siteRow(snapshotOf(different), place);

function condition(id: string, different: Partial<ActiveCondition> = {}): ActiveCondition {
  const severity = conditionKinds.find((kind) => kind.id === id)?.severity ?? 'error';
  return { id, part: '', severity, text: 'why', since: 1000, ...different };
}

test('a scanner that works is a row without trouble', () => {
  expect(rowOf({ unsaved: ['LocationName'], drift: [], certificateUntil: 5 })).toEqual({
    ...{ path: '/s/0', url: 'http://192.168.0.3', name: 'hall/gate3', group: 'hall' },
    ...{ serialNumber: '23450001', firmware: '2.4.4.0R', location: 'Gate 3' },
    ...{ state: 'Measuring', severity: 'good', trouble: [], troubleSince: undefined },
    ...{ unsaved: 1, drift: 0, clockOffset: 0, certificateUntil: 5, temperature: 31.4, scans: undefined },
  });
});

describe('the state', () => {
  test('before the first look nothing is known', () => {
    const snapshot = unseen({ name: 'gate3', url: 'http://192.168.0.3', expectedSerial: undefined });
    const { state, severity, unsaved, temperature, clockOffset, trouble } = siteRow(snapshot, place);
    expect({ state, severity, unsaved, temperature, clockOffset, trouble }).toEqual({
      ...{ state: 'Connecting', severity: 'idle', trouble: [] },
      ...{ unsaved: undefined, temperature: undefined, clockOffset: undefined },
    });
  });

  test.each(Object.values(DeviceStatus))('DeviceStatus %i has the word of the pages', (status) => {
    const { state, severity } = rowOf({ values: new Map([['DeviceStatus', status]]) });
    expect({ state, severity }).toEqual({
      state: deviceState(status).word,
      severity: deviceState(status).severity,
    });
  });

  test('a scanner that does not answer is gone at once, without values of now', () => {
    const row = rowOf({ reachable: false, failure: 'it does not answer: ECONNREFUSED' });
    expect(row).toMatchObject({ state: 'Gone', severity: 'bad', serialNumber: '23450001' });
    expect(row.trouble).toEqual(['Does not answer: it does not answer: ECONNREFUSED']);
    expect([row.temperature, row.clockOffset, row.scans]).toEqual([undefined, undefined, undefined]);
  });

  test('a scanner that is slow at first is not said to be gone', () => {
    const late = { reachable: false, answeredAt: undefined, lookSeconds: 3 };
    expect(rowOf(late)).toMatchObject({ state: 'Connecting', severity: 'idle', trouble: [] });
    expect(rowOf({ ...late, lookSeconds: 0.1 }).state).toBe('Gone');
    expect(rowOf({ ...late, answeredAt: 5 }).state).toBe('Gone');
    expect(rowOf({ ...late, conditions: [condition('unreachable')] }).state).toBe('Gone');
  });

  test('its condition tells the same, and once', () => {
    const { trouble } = rowOf({ reachable: false, conditions: [condition('unreachable')] });
    expect(trouble).toEqual(['Does not answer: why']);
  });

  test('another scanner at the address is one', () => {
    expect(rowOf({ expectedSerial: '1' })).toMatchObject({ state: 'Another scanner', severity: 'bad' });
  });
});

describe('trouble', () => {
  test.each(conditionKinds)('$id has its severity and its title', ({ id, severity, title }) => {
    const row = rowOf({ conditions: [condition(id, { part: 'sector 3' })] });
    expect(row.severity).toBe(severity === 'error' ? 'bad' : 'warn');
    expect(row.trouble).toEqual([`${title} (sector 3): why`]);
  });

  test('errors come first, then what is longest', () => {
    const row = rowOf({
      conditions: [
        condition('clock', { since: 30 }),
        condition('unsaved', { since: 20 }),
        condition('device-status', { since: 40 }),
      ],
    });
    expect(row.trouble.map((line) => line.split(':')[0])).toEqual([
      'Reports a fault',
      'Has unsaved parameters',
      'Has a wrong clock',
    ]);
    expect(row).toMatchObject({ severity: 'bad', troubleSince: 20 });
  });

  test('what a scanner says is one line, and lines are few', () => {
    const conditions = Array.from({ length: 100 }, () =>
      condition('clock', { text: 'a\n\u001b[31mb\u202e' }),
    );
    const { trouble } = rowOf({ conditions });
    expect(trouble).toHaveLength(20);
    expect(trouble[0]).toBe('Has a wrong clock: a [31mb ');
  });
});

describe('the name', () => {
  test.each([
    ['gate3', 'Gate 3', 'gate3'],
    ['http://192.168.0.3/', 'Gate 3', 'Gate 3'],
    ['192.168.0.3', 'Gate 3', 'Gate 3'],
    ['192.168.0.3', 'not defined', 'http://192.168.0.3'],
    ['3', '', '3'],
  ])('of %s with the location "%s" is %s', (name, location, expected) => {
    expect(rowOf({ name, values: new Map([['LocationName', location]]) }).name).toBe(expected);
  });

  test('looks ask for the location', async () => {
    const { clock, scanner, monitor } = await watching();
    scanner.values.set('LocationName', 'Gate 3');
    await clock.advance(20);
    const [snapshot] = monitor.snapshots;
    expect(snapshot && siteRow(snapshot, place).location).toBe('Gate 3');
    await monitor.close();
  });
});

test('none that is known to be unsaved is not none: what was changed before the watch began is not known', () => {
  expect(rowOf({ unsaved: [] }).unsaved).toBeUndefined();
});
