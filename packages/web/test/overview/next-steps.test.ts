import {
  ContaminationStrategy,
  DeviceStatus,
  extensions,
  PlugState,
  ScanDataFormat,
  SectorContamination,
  sectorCount,
  TimeRole,
} from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { nextSteps, type Situation } from '../../src/overview/next-steps.js';

/** A scanner that needs nothing. */
const content: Readonly<Record<string, unknown>> = {
  DeviceStatus: DeviceStatus.DS_NormalOperation,
  ScanDataEnable: true,
  ScanDataFormat: ScanDataFormat.Compact,
  TSCRole: TimeRole.TX_CLIENT,
  time: { ...extensions.members.time.type.initial, Role: TimeRole.TX_CLIENT, Synchronised: true },
  LocationName: 'Gate 3',
  temperatureAlarmStatus: false,
  ContaminationResult: { bWarningActive: false, bErrorActive: false },
};

function stepsOf(values: Readonly<Record<string, unknown>>, more: Partial<Situation> = {}) {
  const all: Readonly<Record<string, unknown>> = { ...content, ...values };
  return nextSteps({
    value: (name) => all[name],
    unsaved: [],
    factoryPasswordOf: undefined,
    isUnreachable: false,
    sending: { kind: 'unknown' },
    ...more,
  });
}

const idsOf = (values: Readonly<Record<string, unknown>>, more?: Partial<Situation>) =>
  stepsOf(values, more).map(({ id }) => id);

describe('what to do next', () => {
  test('is nothing for a scanner that works and is set up', () => {
    expect(stepsOf({})).toEqual([]);
  });

  test('is nothing while nothing is known', () => {
    expect(
      nextSteps({
        value: () => undefined,
        unsaved: undefined,
        factoryPasswordOf: undefined,
        isUnreachable: false,
        sending: { kind: 'unknown' },
      }),
    ).toEqual([]);
  });

  test('is to find out why it does not answer, if it does not, whatever else it said it needed', () => {
    expect(idsOf({ ScanDataEnable: false, temperatureAlarmStatus: true }, { isUnreachable: true })).toEqual([
      'gone',
    ]);
  });

  test('is to start a receiver, if the destination refuses the scan data', () => {
    const sent = { telegrams: 300, refused: 150, lost: 0, down: undefined };
    const sending = { kind: 'known', sent, rate: 150, isRefused: true, isLosing: false } as const;
    const ScanDataEthSettings = { Protocol: 1, IPAddress: [192, 168, 0, 10], Port: 2115 };
    expect(stepsOf({ ScanDataEthSettings }, { sending })).toMatchObject([
      {
        id: 'destination',
        severity: 'warn',
        why: 'Nobody listens at 192.168.0.10:2115: start the program that receives the data.',
      },
    ]);
    expect(stepsOf({ ScanDataEthSettings }, { sending: { ...sending, isRefused: false } })).toEqual([]);
  });

  test('begins with trouble, then what is not finished, then what would be better', () => {
    const ids = idsOf(
      {
        LocationName: 'not defined',
        TSCRole: TimeRole.TX_NONE,
        time: undefined,
        ScanDataEnable: false,
        temperatureAlarmStatus: true,
      },
      { unsaved: ['LocationName'], factoryPasswordOf: 'Service' },
    );
    expect(ids).toEqual(['heat', 'destination', 'unsaved', 'password', 'clock', 'name']);
  });

  test('tells a fault of the scanner by its state', () => {
    const [step] = stepsOf({ DeviceStatus: DeviceStatus.DS_RecoverableError });
    expect(step).toMatchObject({ id: 'device', severity: 'bad', title: 'Error' });
  });

  test('names the dirty sectors instead of the state that follows from them', () => {
    const clean: number[] = Array.from({ length: sectorCount }, () => SectorContamination.CM_DATA_CLEAN);
    const dirty = clean
      .with(3, SectorContamination.CM_DATA_ERROR)
      .with(4, SectorContamination.CM_DATA_ERROR)
      .with(6, SectorContamination.CM_DATA_WARN);
    const [step, ...others] = stepsOf({
      DeviceStatus: DeviceStatus.DS_ServiceRequired,
      ContaminationConfig: { eStrategy: ContaminationStrategy.CM_STRATEGY_SENSITIVE },
      ContaminationResult: { bWarningActive: true, bErrorActive: true },
      ContaminationData: dirty,
    });
    expect(step).toMatchObject({ id: 'contamination', severity: 'bad' });
    expect(step?.why).toContain('Sectors 4 and 5 are');
    expect(others).toEqual([]);
  });

  test('offers to start measuring', () => {
    const [step] = stepsOf({ DeviceStatus: DeviceStatus.DS_SuspendedOperation });
    expect(step?.remedy).toMatchObject({ kind: 'call', method: { name: 'mStartMeasure' } });
  });

  test('states the temperature and the limits of its alarm', () => {
    const [step] = stepsOf({
      temperatureAlarmStatus: true,
      CurrentTempDev: 61.3,
      temperatureAlarmConfiguration: { upperThreshold: 55, lowerThreshold: 50 },
    });
    expect(step?.why).toContain('61.3 °C');
    expect(step?.why).toContain('above 55 °C and ends below 50 °C');
  });

  test('needs no destination for LMDscandata, which sessions ask for', () => {
    expect(idsOf({ ScanDataEnable: false, ScanDataFormat: ScanDataFormat.LMDscandata })).toEqual([]);
  });

  test('counts unsaved changes and names some', () => {
    const [step] = stepsOf({}, { unsaved: ['A', 'B', 'C', 'D', 'E'] });
    expect(step?.title).toBe('Save 5 changes');
    expect(step?.why).toContain('A, B, C and 2 more');
    expect(step?.remedy?.kind).toBe('save');
  });

  test('tells why the clock does not follow its server, in the words of the scanner', () => {
    const [step] = stepsOf({
      time: {
        ...extensions.members.time.type.initial,
        Role: TimeRole.TX_CLIENT,
        Fault: 'no reply from 192.168.0.11',
      },
    });
    expect(step).toMatchObject({ id: 'clock', severity: 'warn', why: 'No reply from 192.168.0.11.' });
  });

  test('tells what is wrong with the system plug, and not that service is recommended', () => {
    const plug = { State: PlugState.REFUSED, SerialNumber: '', Fault: 'it is of another variant' };
    expect(stepsOf({ plug, DeviceStatus: DeviceStatus.DS_ServiceRecommended })).toMatchObject([
      { id: 'plug', severity: 'warn', why: 'It is of another variant.' },
    ]);
  });

  test('says why HTTPS is closed, but not on a scanner without certificates', () => {
    const closed = { enabled: false, errorCode: { error: 'the certificate has expired' } };
    expect(idsOf({ httpsStatus: closed })).toEqual(['https']);
    expect(idsOf({ httpsStatus: { enabled: false, errorCode: { error: 'None' } } })).toEqual([]);
  });
});

describe('a scanner that says what is wrong', () => {
  const { network } = extensions.members;

  test('has an error with its reasons', () => {
    const conditions = [
      { Status: 7, Reason: 'hardware: the board is too hot' },
      { Status: 5, Reason: 'system plug' },
    ];
    const [step] = stepsOf({ DeviceStatus: DeviceStatus.DS_RecoverableError, conditions });
    expect(step).toMatchObject({ id: 'device', severity: 'bad' });
    expect(step?.why).toMatch(/^Hardware: the board is too hot\. The scanner may recover/);
  });

  test('has network settings that its system refused', () => {
    const Fault = 'the settings could not be applied: no route';
    expect(stepsOf({ network: { ...network.type.initial, Fault } })).toEqual([
      {
        id: 'network',
        severity: 'warn',
        title: 'The network settings are not in force',
        why: 'The settings could not be applied: no route.',
        remedy: { kind: 'page', page: 'network', rest: '', words: 'Correct and apply them' },
      },
    ]);
    expect(stepsOf({ network: network.type.initial })).toEqual([]);
  });
});
