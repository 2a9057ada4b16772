import { describe, expect, test } from 'vitest';
import {
  type BackupContent,
  backupContent,
  otherUnit,
  parametersIn,
  plannedChanges,
} from '../../src/index.js';

interface Entry {
  readonly name: string;
  readonly value: unknown;
}

function fileWith(...parameters: readonly Entry[]): Uint8Array {
  const groups = [{ userlevel: 'Service', parameters: parameters.map((entry) => ({ id: 'x', ...entry })) }];
  return new TextEncoder().encode(
    JSON.stringify({ version: '2.4.4.0R', 'serial number': '42', parameters: groups }),
  );
}

function contentWith(...parameters: readonly Entry[]): BackupContent {
  const content = backupContent(fileWith(...parameters));
  if (content === undefined) throw new Error('the file is JSON');
  return content;
}

describe('the content of a backup file', () => {
  test('has version, serial number and values, arrays without their wrapping', () => {
    const address = { name: 'EtherIPAddress', value: { items: [192, 168, 0, 7] } };
    const content = contentWith(address, { name: 'LocationName', value: 'Gate 3' });
    expect(content.version).toBe('2.4.4.0R');
    expect(content.serialNumber).toBe('42');
    expect([...content.values]).toEqual([
      ['EtherIPAddress', [192, 168, 0, 7]],
      ['LocationName', 'Gate 3'],
    ]);
  });

  test('is empty if there are no parameters in it, and not known if it is not JSON', () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    for (const text of ['[]', '{"parameters": 3}', '{"parameters": [null, {"parameters": [1]}]}', '7'])
      expect(backupContent(bytes(text))?.values.size).toBe(0);
    expect(backupContent(bytes('AZBACKUP'))).toBeUndefined();
    expect(backupContent(Uint8Array.of(0xff, 0xfe))).toBeUndefined();
  });
});

/** `name act reason` of each parameter. */
function acts(plan: ReturnType<typeof plannedChanges>): readonly string[] {
  return plan.map(({ name, act, skipped = '' }) => `${name} ${act} ${skipped}`.trimEnd());
}

describe('the plan of a restore', () => {
  test('writes fields that had limits of height without the limits', () => {
    const Points = [
      { x: 0, y: 0 },
      { x: 3000, y: 0 },
      { x: 3000, y: 2000 },
    ];
    const evaluations = [{ Id: 1, Points, LowerZLimit: -500, UpperZLimit: 2000 }];
    const content = contentWith({ name: 'fields', value: { evaluations, groups: [] } });
    const now = new Map<string, unknown>([['x/fields', { evaluations: [], groups: [] }]]);
    const plan = plannedChanges(content.values, now);
    expect(acts(plan)).toEqual(['x/fields write']);
    expect(plan[0]?.to).toMatchObject({
      evaluations: [{ Id: 1, Points, LowerZLimit: 0, UpperZLimit: 0 }],
      groups: [],
    });
  });

  test('says what is written, what is the same, and what is left out and why', () => {
    const content = contentWith(
      { name: 'NoSuchThing', value: 1 },
      { name: 'ScanDataEnable', value: true },
      { name: 'SerialNumber', value: '42' },
      { name: 'FREchoFilter', value: 2 },
      { name: 'ScanDataFormat', value: 77 },
      { name: 'ImuDataEnable', value: true },
      { name: 'enableCloningPlug', value: false },
    );
    const now = new Map<string, unknown>([
      ['ScanDataEnable', false],
      ['SerialNumber', '43'],
      ['FREchoFilter', 2],
      ['ScanDataFormat', 1],
      ['enableCloningPlug', true],
    ]);
    const plan = plannedChanges(content.values, now, { level: 'AuthorizedClient' });
    expect(acts(plan).toSorted()).toEqual([
      'FREchoFilter same',
      'ImuDataEnable skip missing',
      'NoSuchThing skip unknown',
      'ScanDataEnable write',
      'ScanDataFormat skip not allowed',
      'SerialNumber skip read-only',
      'enableCloningPlug skip level',
    ]);
    expect(plan.find(({ name }) => name === 'enableCloningPlug')?.detail).toBe('Service');
    expect(plan.find(({ name }) => name === 'ScanDataFormat')?.detail).toContain('ScanDataFormat: expected');
    expect(plan.at(-1)?.name).toBe('NoSuchThing');
    const asService = plannedChanges(content.values, now, { level: 'Service' });
    expect(acts(asService)).toContain('enableCloningPlug write');
  });

  test('keeps name and address, unless they are wanted: then they come last', () => {
    const content = contentWith(
      { name: 'LocationName', value: 'Gate 3' },
      { name: 'EtherIPAddress', value: { items: [192, 168, 0, 7] } },
      { name: 'ScanDataEnable', value: true },
    );
    const now = new Map<string, unknown>([
      ['LocationName', 'Gate 4'],
      ['EtherIPAddress', [192, 168, 0, 1]],
      ['ScanDataEnable', false],
    ]);
    expect(acts(plannedChanges(content.values, now, { retained: ['name', 'network'] }))).toEqual([
      'ScanDataEnable write',
      'LocationName skip own',
      'EtherIPAddress skip own',
    ]);
    expect(acts(plannedChanges(content.values, now))).toEqual([
      'ScanDataEnable write',
      'LocationName write',
      'EtherIPAddress write',
    ]);
  });

  test('reads extensions by their prefix, and nothing that is not known', () => {
    const content = contentWith({ name: 'fields', value: {} }, { name: 'NoSuchThing', value: 1 });
    expect(parametersIn(content)).toEqual(['x/fields']);
  });
});

describe('a backup is of another scanner', () => {
  const content = contentWith({ name: 'LocationName', value: 'Gate 3' });
  const nameless = { ...content, serialNumber: undefined };

  test('if the serial numbers differ', () => {
    expect(otherUnit(content, new Map([['SerialNumber', '42']]))).toBeUndefined();
    const other = otherUnit(content, new Map([['SerialNumber', '43']]));
    expect(other).toEqual({ backup: 'scanner 42 ("Gate 3")', here: 'scanner 43', changed: [] });
  });

  test('if a serial number is missing, and the restore would change name or address', () => {
    expect(otherUnit(nameless, new Map([['LocationName', 'Gate 3']]))).toBeUndefined();
    expect(otherUnit(nameless, new Map([['LocationName', 'Gate 4']]))?.changed).toEqual(['LocationName']);
  });
});
