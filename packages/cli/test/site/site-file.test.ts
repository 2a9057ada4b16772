import { describe, expect, test } from 'vitest';
import { SiteFile } from '../../src/site/site-file.js';
import { FileMistakes } from '../../src/yaml/yaml-file.js';

const lines = (...text: readonly string[]) => text.join('\n');

/** The mistakes in a text, as the command prints them. */
function mistakes(...text: readonly string[]): readonly string[] {
  try {
    new SiteFile('hall.yaml', lines(...text));
    return [];
  } catch (error) {
    if (!(error instanceof FileMistakes)) throw error;
    return error.mistakes.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
}

function wanted(key: string, ...text: readonly string[]): unknown {
  const scanner = new SiteFile('hall.yaml', lines(...text)).scannerNamed(key);
  return scanner === undefined ? undefined : Object.fromEntries(scanner.values);
}

describe('a site file', () => {
  test('has values as a person writes them', () => {
    const values = wanted(
      'gate3',
      'scanners:',
      '  gate3:',
      '    serial: 0123',
      '    unit:',
      '      LocationName: 007',
      '      EtherIPAddress: 192.168.0.7',
      '      EtherAddressingMode: tx_ip_dhcp',
      '    parameters:',
      '      PerformanceProfileNumber: 3',
      '      ScanDataEnable: on',
      '      ScanDataEthSettings: { Port: 2116, IPAddress: [10, 0, 0, 1] }',
      '      x/fields: { evaluations: [ { Id: 1 } ], groups: [] }',
    );
    expect(values).toEqual({
      LocationName: '007',
      EtherIPAddress: [192, 168, 0, 7],
      EtherAddressingMode: 1,
      PerformanceProfileNumber: 3,
      ScanDataEnable: true,
      ScanDataEthSettings: { Port: 2116, IPAddress: [10, 0, 0, 1] },
      fields: { evaluations: [{ Id: 1 }], groups: [] },
    });
    const site = new SiteFile('hall.yaml', 'scanners: { gate3: { serial: 0123 } }');
    expect(site.scannerNamed('gate3')?.serial).toBe('0123');
  });

  test('gives all scanners what is shared, and each what it has itself', () => {
    const text = [
      'parameters:',
      '  ScanDataEnable: true',
      '  ScanDataEthSettings: { Port: 2116, IPAddress: 10.0.0.1 }',
      'scanners:',
      '  gate3:',
      '  gate4:',
      '    parameters:',
      '      ScanDataEthSettings: { Port: 2117 }',
    ];
    const shared = { ScanDataEnable: true, ScanDataEthSettings: { Port: 2116, IPAddress: [10, 0, 0, 1] } };
    expect(wanted('gate3', ...text)).toEqual(shared);
    expect(wanted('http://127.0.0.1', ...text)).toEqual(shared);
    expect(wanted('gate4', ...text)).toEqual({
      ...shared,
      ScanDataEthSettings: { Port: 2117, IPAddress: [10, 0, 0, 1] },
    });
    expect(wanted('gate5', 'scanners: { gate3: {} }')).toBeUndefined();
  });

  test('gives the scanners of a group what the group has: over what is for all, and below their own', () => {
    const text = [
      'parameters:',
      '  ScanDataEthSettings: { Port: 2116, IPAddress: 10.0.0.1 }',
      'groups:',
      '  hall-a/*: { parameters: { ScanDataEthSettings: { Port: 2117 }, TSCTCupdatetime: 11 } }',
      '  "*/north*": { parameters: { TSCTCupdatetime: 12 } }',
      'scanners:',
      '  hall-a/gate1:',
      '  hall-a/north2:',
      '  hall-a/north3: { parameters: { TSCTCupdatetime: 13 } }',
      '  hall-b/gate4:',
    ];
    const stream = (port: number) => ({
      ScanDataEthSettings: { Port: port, IPAddress: [10, 0, 0, 1] },
    });
    expect(wanted('hall-a/gate1', ...text)).toEqual({ ...stream(2117), TSCTCupdatetime: 11 });
    expect(wanted('hall-a/north2', ...text)).toEqual({ ...stream(2117), TSCTCupdatetime: 12 });
    expect(wanted('hall-a/north3', ...text)).toEqual({ ...stream(2117), TSCTCupdatetime: 13 });
    expect(wanted('hall-b/gate4', ...text)).toEqual(stream(2116));
    expect(wanted('hall-a/new', ...text)).toEqual({ ...stream(2117), TSCTCupdatetime: 11 });
  });

  test('may have groups alone, for the scanners that a command names', () => {
    const text = ['groups:', '  hall:', '    parameters: { ScanDataEnable: on }'];
    expect(wanted('hall/gate1', ...text)).toEqual({ ScanDataEnable: true });
    expect(wanted('hallway', ...text)).toBeUndefined();
  });

  test('may use an anchor for what several scanners have alike', () => {
    const text = [
      'scanners:',
      '  gate3: { parameters: &all { ScanDataEnable: true } }',
      '  gate4: { parameters: *all }',
    ];
    expect(wanted('gate4', ...text)).toEqual({ ScanDataEnable: true });
  });
});

describe('mistakes are told with line and column', () => {
  test.each([
    [
      'an unknown parameter',
      '4:7 there is no parameter "ScanDataEnabel"; did you mean ScanDataEnable?',
      'ScanDataEnabel: true',
    ],
    [
      'a variable that is no parameter',
      '4:7 SerialNumber is no parameter: it cannot be saved',
      'SerialNumber: 12',
    ],
    ['a value of another type', '4:23 expected on or off, got "maybe"', 'ScanDataEnable: maybe'],
    ['a value that is missing', '4:22 expected true or false, got nothing', 'ScanDataEnable:'],
    ['a number that is not allowed', '4:24 TSCTCupdatetime: expected 1 to 3600, got 0', 'TSCTCupdatetime: 0'],
    [
      'an unknown member',
      '4:30 there is no member "Prot"; did you mean Port?',
      'ScanDataEthSettings: { Prot: 1 }',
    ],
    [
      'a member that is not allowed',
      '4:36 ScanDataEthSettings.Port: expected 0 to 65535, got 70000',
      'ScanDataEthSettings: { Port: 70000 }',
    ],
    [
      'an enumeration',
      '4:23 expected one of MSGPACK, Compact, LMDscandata, NativeROS2, got "Compakt"',
      'ScanDataFormat: Compakt',
    ],
    [
      'members that do not go together',
      '4:76 temperatureAlarmConfiguration.lowerThreshold: 20 is not below',
      'temperatureAlarmConfiguration: { upperThreshold: 10, lowerThreshold: 20 }',
    ],
    [
      'what belongs to one scanner',
      '4:7 LocationName belongs to one scanner: put it below',
      'LocationName: x',
    ],
  ])('%s', (_, expected, line) => {
    const [found = ''] = mistakes('scanners:', '  gate3:', '    parameters:', `      ${line}`);
    expect(found.startsWith(expected), `${found} begins with ${expected}`).toBe(true);
  });

  test('all of them, in the order of the file', () => {
    expect(
      mistakes(
        'scaners: {}',
        'parameters:',
        '  EtherIPAddress: 192.168.0.1',
        'scanners:',
        '  gate3:',
        '    ScanDataEnable: true',
        '    unit: { ScanDataEnable: true }',
      ).map((mistake) => mistake.replace(/: put .*| of .*/, '')),
    ).toEqual([
      '1:1 "scaners" is no member',
      '3:3 EtherIPAddress belongs to one scanner',
      '6:5 "ScanDataEnable" is no member',
      '7:13 ScanDataEnable does not belong to one scanner',
    ]);
  });

  test('also in groups', () => {
    expect(
      mistakes(
        'groups:',
        '  hal/*:',
        '    parameters: { ScanDataEnable: on }',
        '  hall/*:',
        '    unit: { LocationName: x }',
        '    parameters:',
        '      LocationName: x',
        '      ScanDataEnabel: on',
        'scanners: { hall/gate1: }',
      ),
    ).toEqual([
      '2:3 no scanner of this file is in hal/*',
      '5:5 "unit" is no member of the group hall/*',
      '7:7 LocationName belongs to one scanner: put it below scanners, below the name of the scanner, below unit',
      '8:7 there is no parameter "ScanDataEnabel"; did you mean ScanDataEnable?',
    ]);
    expect(mistakes('groups: [hall]')).toEqual(['1:9 expected groups by their names, such as hall/*']);
  });

  test('also what is wrong for YAML, and a file that says nothing', () => {
    expect(mistakes('parameters:', '  ScanDataEnable: [')[0]).toMatch(/^2:\d+ /);
    expect(mistakes('parameters: { ScanDataEnable: true, ScanDataEnable: false }')[0]).toMatch(
      /^1:37 .*is there twice: first in line 1, column \d+/,
    );
    expect(mistakes('')).toEqual(['1:1 expected parameters, groups and scanners']);
    expect(mistakes('{ version: 1, "device identification": x, checksum: y, parameters: [] }')).toEqual([
      '1:1 this is a backup, no site file: azimuth restore writes it to a scanner',
    ]);
    for (const number of ['.nan', '.inf', '-.inf']) {
      expect(mistakes('parameters:', `  TSCTCupdatetime: ${number}`)).toEqual([
        `2:20 expected a number, got "${number}"`,
      ]);
    }
    expect(mistakes('- 1')).toEqual(['1:1 expected parameters, groups and scanners']);
  });
});
