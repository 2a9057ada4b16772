import { dataReduction, defineProduct, ethernet, type Level, legacyProtocols, Refusal } from '@azimuth/model';
import { statusOfAct, TestDevice } from '@azimuth/test-support/test-device';
import { beforeEach, describe, expect, test } from 'vitest';
import { LegacyNames } from '../../src/legacy-protocols/index.js';

let testDevice: TestDevice;
let names: LegacyNames;

beforeEach(async () => {
  testDevice = await TestDevice.open();
  names = new LegacyNames(testDevice.device);
});

/** The value or request is read only if the caller may write or call. */
const calls = () => {
  throw new Refusal('parsingFailed', '', 'it was asked for');
};
const isAdmitted = (status: string) => (status === 'parsingFailed' ? 'ok' : status);
const writing = (name: string, level: Level, of = names) =>
  isAdmitted(statusOfAct(() => of.write(name, { level }, calls)));
const calling = (name: string, level: Level) =>
  isAdmitted(statusOfAct(() => names.call(name, { level }, testDevice.log, calls)));

describe('a write', () => {
  test.each(['LocationName', 'EIIpAddr', 'LMPoutputRange', 'EIHstCola'])(
    'of %s needs AuthorizedClient, whatever the value is',
    (name) => {
      for (const level of ['Run', 'Maintenance'] satisfies Level[]) {
        expect(writing(name, level), level).toBe('accessDenied');
      }
      for (const level of ['AuthorizedClient', 'Service'] satisfies Level[]) {
        expect(writing(name, level), level).toBe('ok');
      }
    },
  );

  test.each(['DeviceIdent', 'ODoprh', 'STlms', 'LMPscancfg', 'field000'])(
    'of %s is refused at every level, because it is read-only',
    (name) => {
      for (const level of ['Run', 'Service'] satisfies Level[]) expect(writing(name, level)).toBe('readOnly');
    },
  );

  test('of LMDscandatacfg is refused in a release without ScanDataConfig', async () => {
    const { device } = await TestDevice.open({ release: '1.4.0' });
    const older = new LegacyNames(device);
    expect(writing('LMDscandatacfg', 'Service', older)).toBe('readOnly');
    expect(writing('LMDscandata', 'Service')).toBe('readOnly');
    expect(writing('LMDscandatacfg', 'AuthorizedClient')).toBe('ok');
  });

  test.each(['NoSuchName', 'WriteEeprom', 'mEEwriteall', 'mLMPsetscancfg', 'ECRChangeArr'])(
    'of %s is refused, because it is no variable',
    (name) => expect(writing(name, 'Service')).toBe('notFound'),
  );

  test('of a legacy name has the narrower range of the product', async () => {
    const product = defineProduct({
      name: 'acme',
      deviceType: 'acme3xx',
      orderNumber: '1',
      realm: 'Acme',
      releases: { '1.0.0': '2.4.4' },
      ranges: {
        EtherHostIPPort: { minimum: 2000, maximum: 3000 },
        LFPangleRangeFilter: { members: { fThetaStart: { minimum: -900_000 } } },
      },
    });
    const { device } = await TestDevice.open({ product });
    const narrow = new LegacyNames(device);
    const write = (name: string, value: unknown) =>
      statusOfAct(() => narrow.write(name, { level: 'Service' }, (type) => type.fromJson(value, '')));
    expect(write('EIHstPort', 1999)).toBe('outOfRange');
    expect(write('EIHstPort', 2001)).toBe('ok');
    expect(device.read(legacyProtocols.members.EtherHostIPPort)).toBe(2001);
    const range = (start: number) => ({ count: 1, step: 3333, start, stop: 1_800_000 });
    expect(write('LMPoutputRange', range(-100_000))).toBe('outOfRange');
    expect(write('LMPoutputRange', range(100_000))).toBe('ok');
    expect(device.read(dataReduction.members.LFPangleRangeFilter).fThetaStart).toBe(-800_000);
  });

  test('takes effect', () => {
    names.write('EIgate', { level: 'Service' }, () => [10, 0, 0, 1]);
    expect(names.find('EIgate')).toMatchObject({
      kind: 'endpoint',
      endpoint: { name: 'EtherIPGateAddress' },
    });
    expect(testDevice.device.read(ethernet.members.EtherIPGateAddress)).toEqual([10, 0, 0, 1]);
  });
});

describe('a call', () => {
  test.each(['WriteEeprom', 'mEEwriteall', 'LMCstopmeas', 'mLMPsetscancfg', 'mCLsetscancfglist'])(
    'of %s needs AuthorizedClient, whatever the request is',
    (name) => {
      for (const level of ['Run', 'Maintenance'] satisfies Level[]) {
        expect(calling(name, level), level).toBe('accessDenied');
      }
      for (const level of ['AuthorizedClient', 'Service'] satisfies Level[]) {
        expect(calling(name, level), level).toBe('ok');
      }
    },
  );

  test('of IsSystemReady is open to all', () => expect(calling('IsSystemReady', 'Run')).toBe('ok'));

  test.each(['getChallenge', 'changePassword'])('of %s is refused at every level', (name) => {
    expect(calling(name, 'Service')).toBe('accessDenied');
  });

  test.each(['NoSuchName', 'LocationName', 'STlms', 'ECRChangeArr'])(
    'of %s is refused, because it is no method',
    (name) => expect(calling(name, 'Service')).toBe('notFound'),
  );
});
