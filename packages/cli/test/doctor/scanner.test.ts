import type { FoundScanner } from '@azimuth/client/discover';
import { extensions, TimeZone } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { Observation } from '../../src/doctor/observation.js';
import { finding, observation, realOnly, verdict } from './observation.js';

describe('the state', () => {
  test.each([
    [1, 'problem', 'starting'],
    [2, 'problem', 'firmware'],
    [4, 'problem', 'measuring is switched off'],
    [5, 'warning', 'asks for service'],
    [6, 'problem', 'needs service'],
    [7, 'problem', 'may end by itself'],
    [8, 'problem', 'for good'],
    [0, 'warning', 'does not know'],
  ])('%i is a %s', (DeviceStatus, severity, text) => {
    const found = finding('status', observation({ values: { DeviceStatus } }));
    expect(found.severity).toBe(severity);
    expect(found.text).toContain(text);
    expect(found.fix?.acts).toEqual(DeviceStatus === 4 ? [{ call: 'mStartMeasure' }] : undefined);
  });
});

describe('the front screen', () => {
  const dirty = (bWarningActive: boolean, bErrorActive: boolean) =>
    observation({
      values: {
        ContaminationResult: { bWarningActive, bErrorActive },
        ContaminationData: [1, 1, 1, 3, 2, 1, 1, 1, 1, 1, 1, 1],
      },
    });

  test('that is dirty is a warning or a problem, with its sectors', () => {
    expect(finding('contamination', dirty(true, false)).severity).toBe('warning');
    const { severity, text } = finding('contamination', dirty(true, true));
    expect(severity).toBe('problem');
    expect(text).toContain('sector 4, 5 of 7');
  });

  test('is not watched by every variant', () => {
    expect(verdict('contamination', observation({ lacks: ['ContaminationResult'] }))).toHaveProperty(
      'absent',
    );
  });
});

describe('the temperature', () => {
  test('above the limit of the scanner is a warning', () => {
    const values = { CurrentTempDev: 61.27, temperatureAlarmStatus: true };
    expect(finding('temperature', observation({ values })).text).toBe(
      'the scanner is too hot: it has 61.3 °C inside, and should have at most 55 °C',
    );
  });

  test('is judged by the limit of the factory in releases without an alarm', () => {
    const lacks = ['temperatureAlarmStatus', 'temperatureAlarmConfiguration'];
    expect(verdict('temperature', observation({ values: { CurrentTempDev: 54 }, lacks }))).toHaveProperty(
      'fine',
    );
    expect(verdict('temperature', observation({ values: { CurrentTempDev: 56 }, lacks }))).toHaveProperty(
      'findings',
    );
  });
});

const corners = [
  { x: 0, y: 0 },
  { x: 1000, y: 0 },
  { x: 0, y: 1000 },
];

describe('fields', () => {
  const active = (count: number, release = '2.4.4') =>
    observation({
      values: {
        DeviceIdent: { Name: 'scanner', Version: `${release}.0R` },
        FieldEvaluationResult: {
          Version: 1,
          Timestamp: 0,
          EvaluationResultList: Array.from({ length: 48 }, (_, index) => ({
            State: index < count ? 2 : 1,
            Positions: [],
          })),
        },
      },
    });

  test('more than 20 stop the detection', () => {
    expect(finding('fields', active(21)).text).toBe(
      '21 fields are active, and more than 20 stop the detection of objects',
    );
    expect(verdict('fields', active(20))).toEqual({ fine: '20 active' });
    expect(verdict('fields', active(21, '1.5.0'))).toEqual({ fine: '21 active' });
  });

  test('that have stopped are counted by their definitions, because all of them are inactive', () => {
    const stopped = (count: number, groups: readonly number[]) => {
      const [Points, ids] = [corners, Array.from({ length: count }, (_, index) => index + 1)];
      const fields = {
        evaluations: [...ids.map((Id) => ({ Id, Points })), { Id: 48 }],
        groups: [{ Id: 1, Evaluations: [...ids, 48] }],
      };
      const FieldEvaluationGroupState = Array.from({ length: 48 }, (_, index) => groups[index] ?? 0);
      const FieldEvaluationResult = {
        Version: 1,
        Timestamp: 0,
        EvaluationResultList: Array.from({ length: 48 }, () => ({ State: 1, Positions: [] })),
      };
      return observation({ values: { fields, FieldEvaluationGroupState, FieldEvaluationResult } });
    };
    expect(finding('fields', stopped(21, [1])).text).toContain('21 fields are active');
    expect(verdict('fields', stopped(21, [2]))).toEqual({ fine: '0 active' });
    expect(verdict('fields', stopped(20, [1]))).toEqual({ fine: '20 active' });
  });
});

describe('the clock', () => {
  const at = (hour: number, minute: number, second: number, year = 2026) => ({
    LSPdatetime: {
      uiYear: year,
      usiMonth: 5,
      usiDay: 4,
      usiHour: hour,
      usiMinute: minute,
      usiSec: second,
      udiUSec: 0,
    },
  });

  test('that is right is fine', () => {
    expect(verdict('clock', observation({ values: at(9, 12, 33) }))).toEqual({
      fine: 'as the clock of this computer',
    });
  });

  test.each([
    [at(7, 12, 31), 'note', '2 h behind this computer: probably another time zone'],
    [at(9, 13, 1), 'warning', 'is 30 s ahead of this computer'],
    [at(9, 12, 31, 2020), 'warning', '2191 days behind'],
  ])('%j is a %s', (values, severity, text) => {
    const found = finding('clock', observation({ values }));
    expect(found.severity).toBe(severity);
    expect(found.text).toContain(text);
  });

  test('can be set, unless a time server sets it', () => {
    const values = at(9, 13, 1);
    const [act] = finding('clock', observation({ values })).fix?.acts ?? [];
    const request =
      act !== undefined && 'requestAt' in act ? act.requestAt(new Date(2026, 4, 4, 9, 12, 31)) : undefined;
    expect(act).toMatchObject({ call: 'LSPsetdatetime' });
    expect(request).toEqual({ DateTime: at(9, 12, 31).LSPdatetime });
    expect(finding('clock', observation({ values: { ...values, TSCRole: 1 } })).fix).toBeUndefined();
  });

  test('that is synchronised is judged in its time zone', () => {
    const utc = observation().facts.now;
    const tokyo = new Date(utc.getTime() + 9 * 3_600_000);
    const device = {
      uiYear: tokyo.getUTCFullYear(),
      usiMonth: tokyo.getUTCMonth() + 1,
      usiDay: tokyo.getUTCDate(),
      usiHour: tokyo.getUTCHours(),
      usiMinute: tokyo.getUTCMinutes(),
      usiSec: tokyo.getUTCSeconds(),
      udiUSec: 0,
    };
    const values = { LSPdatetime: device, TSCRole: 1, TSCTCtimezone: TimeZone.OSAKA_TOKIO };
    const synchronised = { ...values, time: { Synchronised: true, Offset: 0, Fault: '' } };
    expect(verdict('clock', observation({ values: synchronised }))).toEqual({
      fine: 'as the clock of this computer, in the time zone of the scanner (Asia/Tokyo)',
    });
    expect(verdict('clock', realOnly({ values }))).toHaveProperty('fine');
    expect(verdict('synchronisation', realOnly({ values }))).toHaveProperty('fine');
  });

  test('that nothing sets is not said to be synchronised', () => {
    expect(verdict('synchronisation', observation())).toHaveProperty('absent');
  });

  test('of a device whose system follows NTP by itself is synchronised without TSCRole', () => {
    const time = { ...extensions.members.time.type.initial, Synchronised: true, System: 'NTP' };
    expect(verdict('synchronisation', observation({ values: { TSCRole: 0, time } }))).toEqual({
      fine: 'by the NTP of the device itself',
    });
  });

  test('that does not follow its server is a warning', () => {
    const { text } = finding('synchronisation', observation({ values: { TSCRole: 1 } }));
    expect(text).toBe('the clock does not follow its time server 192.168.0.11: no time has come from it yet');
  });

  test('of a scanner that does not tell is compared', () => {
    expect(verdict('synchronisation', realOnly({ values: { TSCRole: 3 } }))).toHaveProperty('fine');
    expect(verdict('synchronisation', realOnly({ values: { TSCRole: 3, ...at(9, 20, 0) } }))).toHaveProperty(
      'unseen',
    );
  });
});

describe('the release', () => {
  const version = (Version: string) =>
    observation({ values: { DeviceIdent: { Name: 'picoScan', Version } } });

  test('with known faults is named with each of them', () => {
    const said = verdict('release', version('1.4.0.0R'));
    expect('findings' in said && said.findings.map(({ severity }) => severity)).toEqual([
      'warning',
      'warning',
      'note',
      'note',
    ]);
    expect(verdict('release', version('2.3.1.0R'))).toEqual({ fine: '2.3.1' });
  });

  test('between two known ones counts as the older one', () => {
    expect(verdict('release', version('V2.3.2'))).toEqual({ fine: '2.3.1' });
  });

  test.each(['3.0.0.0R', '0.9.0.0R', 'unknown'])('%s is not known', (name) => {
    expect(finding('release', version(name)).severity).toBe('note');
  });
});

describe('the network', () => {
  test.each([
    [{ EtherIPMask: [255, 0, 255, 0] }, 'problem', 'has holes'],
    [
      { EtherIPGateAddress: [10, 0, 0, 1] },
      'warning',
      'is not in the network of the scanner (192.168.0.0/24)',
    ],
  ])('%j is a %s', (values, severity, text) => {
    const found = finding('network-settings', observation({ values }));
    expect(found.severity).toBe(severity);
    expect(found.text).toContain(text);
  });

  test('settings that are not in force are named', () => {
    const info =
      'azimuth_network_info{source="static",address="192.168.0.1",mask="255.255.255.0",gateway="0.0.0.0"} 1';
    const told = observation({ values: { EtherIPAddress: [192, 168, 0, 7] }, metrics: [info, info] });
    expect(finding('network-in-force', told).text).toContain('address 192.168.0.7 instead of 192.168.0.1');
    const real = realOnly({ values: { EtherIPAddress: [192, 168, 0, 7] } });
    expect(finding('network-in-force', real).text).toContain('reached at 192.168.0.1');
  });
});

describe('other scanners', () => {
  const one = (mac: string, more: Partial<FoundScanner> = {}): FoundScanner => ({
    mac,
    address: '192.168.0.1',
    url: 'http://192.168.0.1',
    configuration: { address: '192.168.0.1' },
    ...more,
  });
  const among = (...neighbours: FoundScanner[]) => observation({ facts: { neighbours } });
  const own = '00:06:77:00:00:01';

  test('with the same MAC address are a problem', () => {
    const other = one(own, { address: '192.168.0.9', url: 'http://192.168.0.9' });
    expect(finding('twins', among(one(own), other)).text).toBe(
      `2 scanners have the MAC address ${own}: http://192.168.0.1, http://192.168.0.9`,
    );
  });

  test('with the same address are a problem', () => {
    const { text, advice } = finding('twins', among(one(own), one('00:06:77:00:00:02')));
    expect(text).toBe(`2 scanners have the address 192.168.0.1: ${own}, 00:06:77:00:00:02`);
    expect(advice).toContain('azimuth discover --set-address');
  });

  test('that are virtual may show the same settings, or share a computer', () => {
    const virtual = { address: '127.0.0.1', instance: 'b', httpPort: 8081 };
    expect(verdict('twins', among(one(own), one('00:06:77:00:00:02', virtual)))).toEqual({
      fine: 'none of those that answer the search (2)',
    });
  });

  test('are not ruled out if none answers the search', () => {
    expect(verdict('twins', among())).toHaveProperty('unseen');
  });

  test('of which nobody asked', () => {
    const { neighbours: _, ...facts } = observation().facts;
    expect(verdict('twins', new Observation(facts))).toHaveProperty('unseen');
  });
});

describe('access', () => {
  test('a lock is a problem', () => {
    const locked = 'azimuth_login_locked 1';
    expect(finding('lock', observation({ metrics: [locked, locked] })).severity).toBe('problem');
  });

  test('a password is tried only if somebody asks for it', () => {
    expect(verdict('login', observation())).toHaveProperty('unseen');
    expect(verdict('factory-passwords', observation())).toHaveProperty('unseen');
  });

  test('a login that is denied is a problem', () => {
    const logins = {
      given: { level: 'AuthorizedClient', result: 'denied', isFactory: false },
      factory: new Map(),
    } as const;
    expect(finding('login', observation({ facts: { logins } })).advice).toContain(
      'azimuth users enable AuthorizedClient',
    );
  });

  test('a factory password that works is a warning', () => {
    const logins = {
      given: { level: 'Service', result: 'in', isFactory: true },
      factory: new Map(),
    } as const;
    const { text, advice } = finding('factory-passwords', observation({ facts: { logins } }));
    expect(text).toBe('Service has the password of the factory, which everybody can know');
    expect(advice).toBe('azimuth password Service --device @gate3');
  });

  test('a lock is a problem, whichever login has met it, and is not ruled out without an attempt', () => {
    const { metrics: _, ...facts } = observation().facts;
    const tried = (logins: object) =>
      new Observation({ ...facts, logins: { factory: new Map(), ...logins } });
    expect(verdict('lock', tried({ factory: new Map([['Service', 'locked']]) }))).toHaveProperty('findings');
    expect(verdict('lock', tried({}))).toHaveProperty('unseen');
    expect(verdict('lock', tried({ factory: new Map([['Service', 'denied']]) }))).toHaveProperty('fine');
  });

  const certificateUntil = (validNotAfter: string, validNotBefore = 'Jan 01 00:00:00 2025 GMT') =>
    observation({
      values: {
        certificateBundleInfo: {
          uuidBundle: 'x',
          errorCode: { error: 'None' },
          certificates: [
            {
              names: [],
              issuer: 'CN=x',
              subject: 'CN=x',
              serialNumber: '1',
              fingerprint: '1',
              validNotBefore,
              validNotAfter,
            },
          ],
        },
      },
    });

  test.each([
    ['Apr 30 12:00:00 2026 GMT', 'problem', 'the certificate of HTTPS has expired on 2026-04-30'],
    ['May 20 12:00:00 2026 GMT', 'warning', 'the certificate of HTTPS ends on 2026-05-20, in 16 days'],
  ])('a certificate until %s is a %s', (end, severity, text) => {
    const found = finding('certificate', certificateUntil(end));
    expect(found.severity).toBe(severity);
    expect(found.text).toContain(text);
    expect(found.advice).toContain('azimuth certificate set CERTIFICATES KEY --device @gate3');
  });

  test('a certificate that is not valid yet is a problem, and a good one is fine until its end', () => {
    const early = certificateUntil('Apr 30 12:00:00 2028 GMT', 'Apr 30 12:00:00 2027 GMT');
    expect(finding('certificate', early).text).toContain('not valid before 2027-04-30');
    expect(verdict('certificate', certificateUntil('Apr 30 12:00:00 2028 GMT'))).toEqual({
      fine: 'until 2028-04-30',
    });
    expect(verdict('certificate', observation())).toEqual({ absent: 'none was set' });
    expect(verdict('certificate', certificateUntil(' '.repeat(24)))).toHaveProperty('unseen');
  });

  test('HTTPS that failed is a warning', () => {
    const values = { httpsStatus: { enabled: false, errorCode: { error: 'PortInUse' } } };
    expect(finding('https', observation({ values })).text).toBe('HTTPS is closed: PortInUse');
  });
});

describe('files', () => {
  test('that could not be read or written are a problem', () => {
    const lost = 'azimuth_lost_documents{document="parameters"} 1';
    expect(finding('documents', observation({ metrics: [lost, lost] })).text).toContain('parameters');
    const failed = 'azimuth_saves_total{result="failed"} 2';
    expect(finding('documents', observation({ metrics: [failed, failed] })).text).toContain('2 times');
  });
});

describe('a scanner that says what is wrong', () => {
  test('has a fault with its reasons, and not with those of other states', () => {
    const conditions = [
      { Status: 7, Reason: 'hardware: the board is too hot' },
      { Status: 7, Reason: 'failing: encoder of the hardware' },
      { Status: 5, Reason: 'system plug' },
    ];
    const { text } = finding('status', observation({ values: { DeviceStatus: 7, conditions } }));
    expect(text).toBe(
      'the scanner has a fault that may end by itself: hardware: the board is too hot; failing: encoder of the hardware',
    );
  });

  test('has network settings that its system refused, with the address in use', () => {
    const network = {
      Source: 1,
      Address: [192, 168, 0, 1],
      Mask: [255, 255, 255, 0],
      Gateway: [0, 0, 0, 0],
      Fault: 'the settings could not be applied: ip: Operation not permitted',
    };
    const { severity, text, advice } = finding('network-in-force', observation({ values: { network } }));
    expect([severity, text]).toEqual([
      'problem',
      'the network settings are not in force: the settings could not be applied: ip: Operation not permitted; the scanner uses 192.168.0.1',
    ]);
    expect(advice).toContain('azimuth call EthernetUpdate --device @gate3');
  });
});
