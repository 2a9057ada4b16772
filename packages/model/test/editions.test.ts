import { describe, expect, test } from 'vitest';
import {
  allEndpoints,
  allEvents,
  allFiles,
  backupRestore,
  detectionHistory,
  type Edition,
  endpointsOf,
  ethernet,
  eventsOf,
  filesOf,
  firmwareUpdate,
  type Release,
  releases,
} from '../src/index.js';

/** What each release has that the one before had not. */
const added: Readonly<Record<string, readonly string[]>> = {
  '1.5.0': ['changePassword', 'SetPassword'],
  '2.1.0': [
    'EnableUserLevel',
    'EnableLegacyUserLevel',
    'EthernetUpdate',
    'EtherLegacyScanMode',
    'EtherCoLaScanMode',
    'httpsStatus',
    'certificateBundleInfo',
    'setCertificateBundle',
    'removeCertificateBundle',
    'EvaluationGroupType',
    'perpendicularDistanceResult',
  ],
  '2.2.0': [
    'LFTchecksum',
    'temperatureAlarmConfiguration',
    'temperatureAlarmStatus',
    'SensorPosition',
    'rosDomainId',
    'rosFrameId',
    'rosParentFrameId',
    'rosNamespace',
    'EncSetting',
    'EncResolution',
    'ActualEncPosition1Enable',
    'ActualEncPosition2Enable',
    'mResetEncoderIncrement',
    'EncoderDataEnable',
    'EncoderDataEthSettings',
    'GetFieldEvaluationContour',
    'SetFieldEvaluationContour',
    'CreateParameterBackup',
    'RestoreParameterBackup',
    'parameterbackup',
  ],
  '2.3.1': [
    'CreateSessionToken',
    'EtherAuxIPPort',
    'EtherHostIPPort',
    'EtherSessionTimeout',
    'ScanDataConfig',
    'compactTelegramType1Content',
    'ScanMergerEnabled',
    'ScanMergerSource',
    'ScanMergeTrigger',
    'EncoderTransformationType',
    'EncoderRotation',
    'EncoderTranslation',
    'RotationOffset',
    'StartScanMerge',
    'StopScanMerge',
    'ResetScanMergeView',
    'MergeSaving',
    'CreateParameterBackupResult',
    'RestoreParameterBackupResult',
    'enableCloningPlug',
  ],
  '2.3.3': ['laserType', 'sipmType', 'ContaminationActiveSectors', 'treatBlockedSectorsAsErrorSectors'],
  '2.4.4': [],
};

/** What only the variant with everything has, in the newest release. */
const fullOnly = [
  'ContaminationConfig',
  'ContaminationData',
  'ContaminationResult',
  'ContaminationActiveSectors',
  'treatBlockedSectorsAsErrorSectors',
  'EncSetting',
  'EncResolution',
  'ActualEncPosition1Enable',
  'ActualEncPosition2Enable',
  'mResetEncoderIncrement',
  'EncoderDataEnable',
  'EncoderDataEthSettings',
  'ScanMergerEnabled',
  'ScanMergerSource',
  'ScanMergeTrigger',
  'EncoderTransformationType',
  'EncoderRotation',
  'EncoderTranslation',
  'RotationOffset',
  'StartScanMerge',
  'StopScanMerge',
  'ResetScanMergeView',
  'MergeSaving',
  'ImuDataEnable',
  'ImuDataEthSettings',
  'InertialMeasurementUnit',
  'FieldEvaluationResult',
  'FieldEvaluationGroupState',
  'EvaluationGroupType',
  'ActivateEvaluationGroup',
  'GetFieldEvaluationContour',
  'SetFieldEvaluationContour',
  'StartTeachIn',
  'StopTeachIn',
  'perpendicularDistanceResult',
  'EnableDetectionHistory',
  'EvaluationsToLog',
  'ResetDetectionHistory',
];

function namesIn(edition: Edition): string[] {
  return [...endpointsOf(edition).keys(), ...filesOf(edition).keys()];
}

function full(release: Release): Edition {
  return { release, variant: 'full' };
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name)).sort();
}

describe('a release', () => {
  const steps = releases.slice(1).map((release, index) => [releases[index] ?? '1.4.0', release] as const);

  test.each(steps)('adds to %s what %s brings', (before, release) => {
    expect(without(namesIn(full(release)), namesIn(full(before)))).toEqual(
      [...(added[release] ?? [])].sort(),
    );
  });

  test('takes only the boolean scan mode away, when the enumerated one comes', () => {
    const gone = steps.map(([before, release]) => without(namesIn(full(before)), namesIn(full(release))));
    expect(gone.flat()).toEqual(['EnableColaScan']);
    expect(namesIn(full('1.5.0'))).toContain('EnableColaScan');
    expect(namesIn(full('2.1.0'))).not.toContain('EnableColaScan');
  });

  test('serves an alias as the variable that it stands for', () => {
    const served = endpointsOf(full('2.4.4'));
    expect(served.get('EtherCoLaScanMode')).toBe(served.get('EtherLegacyScanMode'));
    expect(allEndpoints.map(({ name }) => name)).not.toContain('EtherCoLaScanMode');
  });

  test('never serves the application state of field evaluation, which the oldest one has lost already', () => {
    const serving = releases.filter((release) =>
      endpointsOf(full(release)).has('FieldEvaluationApplicationState'),
    );
    expect(serving).toEqual([]);
  });
});

describe('the core variant', () => {
  test('lacks fields, IMU, encoder, contamination and recorder, and nothing else', () => {
    const core = namesIn({ release: '2.4.4', variant: 'core' });
    expect(without(namesIn(full('2.4.4')), core)).toEqual([...fullOnly].sort());
    expect(without(core, namesIn(full('2.4.4')))).toEqual([]);
  });
});

describe('the files', () => {
  test('are the backup, the firmware and the diagnostic file, each with its verbs', () => {
    expect(Object.fromEntries(allFiles.map((file) => [file.name, file.verbs]))).toEqual({
      'crown/file': ['GET'],
      update: ['PUT'],
      parameterbackup: ['GET', 'PUT', 'POST'],
    });
  });

  test('ask for a session token from release 2.3.1 on', () => {
    const { parameterbackup } = backupRestore.members;
    const { update } = firmwareUpdate.members;
    for (const verb of parameterbackup.verbs) {
      expect(parameterbackup.needsToken(verb, '2.2.0')).toBe(false);
      expect(parameterbackup.needsToken(verb, '2.3.1')).toBe(true);
    }
    expect(update.needsToken('PUT', '2.2.0')).toBe(false);
    expect(update.needsToken('PUT', '2.4.4')).toBe(true);
    expect(update.needsToken('GET', '2.4.4')).toBe(false);
  });
});

describe('the events', () => {
  const names = [
    'DeviceStatus',
    'SCdevicestate',
    'FieldEvaluationResult',
    'perpendicularDistanceResult',
    'InputState',
    'OutputState',
    'PortState',
    'ContaminationData',
    'ContaminationResult',
    'InertialMeasurementUnit',
    'CurrentTempDev',
    'temperatureAlarmStatus',
    'UpdateState',
    'LSPdatetime',
  ];

  test('are fourteen', () => {
    expect(allEvents.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  test('are pushed from release 2.3.1 on', () => {
    expect([...eventsOf(full('2.2.0')).keys()]).toEqual([]);
    expect([...eventsOf(full('2.3.1')).keys()].sort()).toEqual([...names].sort());
  });

  test('are fewer where the variant lacks their variables', () => {
    const core = [...eventsOf({ release: '2.4.4', variant: 'core' }).keys()];
    expect(core).toContain('DeviceStatus');
    expect(core).not.toContain('ContaminationData');
    expect(core).toHaveLength(9);
  });
});

describe('a factory value', () => {
  test('of the DHCP fallback is that of the release that the scanner was delivered with', () => {
    const { EtherDHCPFallback } = ethernet.members;
    expect(EtherDHCPFallback.factoryValue({ release: '2.4.4', createdWith: '1.5.0' })).toBe(1);
    expect(EtherDHCPFallback.factoryValue({ release: '1.4.0', createdWith: '1.4.0' })).toBe(1);
    expect(EtherDHCPFallback.factoryValue({ release: '2.4.4', createdWith: '2.1.0' })).toBe(0);
  });

  test('of the detection history is on from release 1.5.0 on', () => {
    const { EnableDetectionHistory } = detectionHistory.members;
    expect(EnableDetectionHistory.factoryValue({ release: '1.4.0', createdWith: '1.4.0' })).toBe(false);
    expect(EnableDetectionHistory.factoryValue({ release: '1.5.0', createdWith: '1.4.0' })).toBe(true);
  });

  test('is the default of the type where nothing is stated', () => {
    const { EtherIPAddress } = ethernet.members;
    expect(EtherIPAddress.factoryValue({ release: '1.4.0', createdWith: '1.4.0' })).toEqual([192, 168, 0, 1]);
  });
});
