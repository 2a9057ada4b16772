import { allParameters, extensions } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { type ExportedScanner, exportedText } from '../../src/site/site-document.js';
import { SiteFile } from '../../src/site/site-file.js';

const lines = (...text: readonly string[]) => `${text.join('\n')}\n`;

function scanner(key: string, values: Readonly<Record<string, unknown>>): ExportedScanner {
  return { key, serial: '23450001', release: '2.4.4', values: new Map(Object.entries(values)) };
}

const factory = Object.fromEntries(allParameters.map(({ name, type }) => [name, type.initial]));
const fields = extensions.members.fields.type.fromJson(
  {
    evaluations: [
      {
        Id: 1,
        Name: 'door',
        Points: [
          { x: 0, y: 1 },
          { x: 1, y: 0 },
          { x: 1, y: 1 },
        ],
      },
    ],
    groups: [],
  },
  '',
);

describe('an exported file', () => {
  test('has values with names, dots and units, and what belongs to one scanner apart', () => {
    const text = exportedText('hall.yaml', undefined, [
      scanner('http://127.0.0.1:8080', {
        LocationName: 'Gate 3',
        EtherIPAddress: [192, 168, 0, 7],
        PerformanceProfileNumber: 3,
        TSCTCupdatetime: 10,
        EtherDHCPFallback: 0,
        EvaluationsToLog: [true, false],
      }),
    ]);
    expect(text.replace(/^(#.*\n)+/, '')).toBe(
      lines(
        '',
        'scanners:',
        '  http://127.0.0.1:8080:',
        '    serial: "23450001"',
        '    release: 2.4.4',
        '    unit:',
        '      # Device',
        '      LocationName: Gate 3',
        '',
        '      # Ethernet',
        '      EtherIPAddress: 192.168.0.7',
        '    parameters:',
        '      # Basic settings',
        '      PerformanceProfileNumber: MODE_3',
        '',
        '      # Date and system time',
        '      TSCTCupdatetime: 10 # s',
        '',
        '      # Ethernet',
        '      EtherDHCPFallback: TX_USE_STATIC_IP',
        '',
        '      # Detection history',
        '      EvaluationsToLog: [true, false]',
      ),
    );
  });

  test('means the values that were exported: all parameters, fields, and odd texts', () => {
    const values = { ...factory, fields, LocationName: '12', rosNamespace: 'on', rosFrameId: ' # "x\': ' };
    const text = exportedText('hall.yaml', undefined, [scanner('gate3', values)]);
    const { serial, values: read } = new SiteFile('hall.yaml', text).scannerNamed('gate3') ?? {};
    expect(serial).toBe('23450001');
    expect(Object.fromEntries(read ?? [])).toEqual(values);
  });

  test('has what scanners have alike once, and stays the same if it is exported again', () => {
    const scanners = [
      scanner('gate3', { ...factory, LocationName: 'Gate 3' }),
      scanner('gate4', { ...factory, LocationName: 'Gate 4', ScanDataEnable: true }),
    ];
    const text = exportedText('hall.yaml', undefined, scanners);
    expect(text.match(/TSCRole/g)).toHaveLength(1);
    expect(text.match(/ScanDataEnable/g)).toHaveLength(2);
    expect(exportedText('hall.yaml', text, scanners)).toBe(text);
    const site = new SiteFile('hall.yaml', text);
    for (const { key, values } of scanners) {
      expect(Object.fromEntries(site.scannerNamed(key)?.values ?? [])).toEqual(Object.fromEntries(values));
    }
  });
});

describe('scanners of several releases', () => {
  const old = { ScanDataEnable: true, TSCTCupdatetime: 10, EnableColaScan: false };
  const recent = { ScanDataEnable: true, TSCTCupdatetime: 10, EtherLegacyScanMode: 0, TSCRole: 0 };
  const site = [
    scanner('gate1', old),
    scanner('gate2', recent),
    scanner('gate3', { ...recent, TSCRole: 1 }),
    scanner('gate4', recent),
  ];

  test('have once what is equal for all that have it', () => {
    const text = exportedText('hall.yaml', undefined, site);
    for (const once of ['ScanDataEnable', 'TSCTCupdatetime', 'EtherLegacyScanMode', 'EnableColaScan']) {
      expect(text.split(`${once}:`), once).toHaveLength(2);
    }
    const { shared } = new SiteFile('hall.yaml', text);
    // Only one scanner has EnableColaScan, so it is not shared; TSCRole differs.
    expect([...shared.keys()].toSorted()).toEqual([
      'EtherLegacyScanMode',
      'ScanDataEnable',
      'TSCTCupdatetime',
    ]);
    expect(exportedText('hall.yaml', text, site)).toBe(text);
  });

  test('have a changed value once, too, if it is equal for all that have it', () => {
    const text = exportedText('hall.yaml', undefined, site);
    const changed = site.map((each) =>
      each.values.has('EtherLegacyScanMode')
        ? { ...each, values: new Map([...each.values, ['EtherLegacyScanMode', 1]]) }
        : each,
    );
    const again = exportedText('hall.yaml', text, changed);
    expect(again.split('EtherLegacyScanMode:')).toHaveLength(2);
    expect(new SiteFile('hall.yaml', again).shared.get('EtherLegacyScanMode')).toBe(1);
  });
});

test('a file of changed parameters has those that differ from the factory for one scanner at least', () => {
  const some = (key: string, values: Readonly<Record<string, unknown>>, ...changed: readonly string[]) => ({
    ...scanner(key, values),
    changed: new Set(changed),
  });
  const text = exportedText('hall.yaml', undefined, [
    some(
      'gate1',
      { ScanDataEnable: true, TSCTCupdatetime: 20, TSCRole: 0 },
      'ScanDataEnable',
      'TSCTCupdatetime',
    ),
    some('gate2', { ScanDataEnable: true, TSCTCupdatetime: 10, TSCRole: 0 }, 'ScanDataEnable'),
  ]);
  const site = new SiteFile('hall.yaml', text);
  expect([...site.shared]).toEqual([['ScanDataEnable', true]]);
  expect([...(site.scannerNamed('gate1')?.values ?? [])]).toEqual([
    ['ScanDataEnable', true],
    ['TSCTCupdatetime', 20],
  ]);
  expect([...(site.scannerNamed('gate2')?.values ?? [])]).toEqual([['ScanDataEnable', true]]);
});

describe('an existing file that is exported again', () => {
  const text = lines(
    '# Hall 2, since March',
    'scanners:',
    '  # at the door',
    '  gate3: # Ask Anna',
    '    parameters:',
    '      TSCTCupdatetime: 0x10 # as the others',
    '      ScanDataEthSettings: # to the PLC',
    '        Port: 2116 # not 2115',
    '',
    '      # Slow is enough.',
    '      PerformanceProfileNumber: 2',
    '  gate9:',
    '    unit: { LocationName: Gate 9 }',
  );
  const stream = { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 2117 };

  test('keeps comments, order, other scanners, and what means the same', () => {
    const values = {
      PerformanceProfileNumber: 2,
      ScanDataEthSettings: stream,
      TSCTCupdatetime: 16,
      TSCRole: 0,
    };
    expect(exportedText('hall.yaml', text, [scanner('gate3', values)])).toBe(
      text
        .replace('2116', '2117')
        .replace('# not 2115\n', '# not 2115\n        Protocol: UDP\n        IPAddress: 192.168.0.100\n')
        .replace(
          'Number: 2\n',
          'Number: 2\n      TSCRole: TX_NONE\n    serial: "23450001"\n    release: 2.4.4\n',
        )
        // The YAML library moves these comments to lines of their own.
        .replace('gate3: # Ask', 'gate3:\n    # Ask')
        .replace('Settings: # to', 'Settings:\n        # to'),
    );
  });

  test('with listed parameters only, gets no other ones', () => {
    const values = {
      PerformanceProfileNumber: 3,
      ScanDataEthSettings: stream,
      TSCTCupdatetime: 17,
      TSCRole: 0,
    };
    const again = exportedText('hall.yaml', text, [scanner('gate3', values)], { listed: true });
    expect(again).toContain('PerformanceProfileNumber: MODE_3\n');
    expect(again).toContain('TSCTCupdatetime: 0x11 # as the others\n');
    expect(again).not.toContain('TSCRole');
    expect(again).not.toContain('Protocol');
  });

  test('gets a value of its own where it differs from what all have', () => {
    const shared = lines('parameters:', '  TSCTCupdatetime: 10', 'scanners:', '  gate3:', '  gate4:');
    const again = exportedText('hall.yaml', shared, [scanner('gate3', { TSCTCupdatetime: 20 })], {
      listed: true,
    });
    const site = new SiteFile('hall.yaml', again);
    expect(site.scannerNamed('gate3')?.values.get('TSCTCupdatetime')).toBe(20);
    expect(site.scannerNamed('gate4')?.values.get('TSCTCupdatetime')).toBe(10);
  });

  test('keeps values of a group, which change there if all its scanners agree', () => {
    const grouped = lines(
      'groups:',
      '  hall/*: { parameters: { TSCTCupdatetime: 10, TSCRole: TX_NONE } }',
      'scanners:',
      '  hall/gate1:',
      '  hall/gate2:',
      '  yard:',
    );
    const again = exportedText(
      'hall.yaml',
      grouped,
      [
        scanner('hall/gate1', { TSCTCupdatetime: 20, TSCRole: 0 }),
        scanner('hall/gate2', { TSCTCupdatetime: 20, TSCRole: 1 }),
      ],
      { listed: true },
    );
    const site = new SiteFile('hall.yaml', again);
    expect(site.groups.map(({ values }) => [...values])).toEqual([
      [
        ['TSCTCupdatetime', 20],
        ['TSCRole', 0],
      ],
    ]);
    expect([...(site.scannerNamed('hall/gate2')?.values ?? [])]).toEqual([
      ['TSCTCupdatetime', 20],
      ['TSCRole', 1],
    ]);
    expect(again.match(/TSCTCupdatetime/g)).toHaveLength(1);
  });

  test('must be a site file', () => {
    expect(() => exportedText('x.json', '{"version": 1}', [])).toThrow('x.json:1:2: "version" is no member');
  });
});
