import {
  basicOnly,
  designedEvents,
  designedRows,
  fullOnly,
  isDesigned,
  tokenSince,
} from '@azimuth/test-support/interface/design-facts';
import { describe, expect, test } from 'vitest';
import {
  allEndpoints,
  allFiles,
  backupRestore,
  basicSettings,
  device,
  diagnosticFile,
  EchoFilter,
  type Edition,
  endpointsOf,
  ethernet,
  eventsOf,
  filesOf,
  filter,
  firmwareUpdate,
  performanceProfiles,
  type Release,
  releases,
} from '../src/index.js';

/** Endpoints of each release that the one before did not have. */
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
    'perpendicularDistanceResult',
    'EnableDetectionHistory',
    'EvaluationsToLog',
    'ResetDetectionHistory',
  ],
  '2.2.0': [
    'LFTchecksum',
    'temperatureAlarmConfiguration',
    'temperatureAlarmStatus',
    'SensorPosition',
    'EvaluationGroupType',
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
  '2.2.1': [],
  '2.3.1': [
    'rosDomainId',
    'laserType',
    'sipmType',
    'treatBlockedSectorsAsErrorSectors',
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
    'MergeRunning',
    'MergeSaving',
    'SaveProgress',
    'CreateParameterBackupResult',
    'RestoreParameterBackupResult',
    'enableCloningPlug',
  ],
  '2.3.3': ['ContaminationActiveSectors'],
  '2.4.4': [],
};

/** Returns the names that an edition has, of those that the specification, the descriptions or the design contain. */
function namesIn(edition: Edition): string[] {
  return [...endpointsOf(edition).keys(), ...filesOf(edition).keys()].filter(isDesigned);
}

function eventsIn(edition: Edition): string[] {
  return [...eventsOf(edition).keys()].filter(isDesigned);
}

function full(release: Release): Edition {
  return { release, variant: 'full' };
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name)).sort();
}

describe('a release', () => {
  test('is one of eight', () => {
    expect(releases).toEqual(['1.4.0', '1.5.0', '2.1.0', '2.2.0', '2.2.1', '2.3.1', '2.3.3', '2.4.4']);
  });

  const steps = releases.slice(1).map((release, index) => [releases[index] ?? '1.4.0', release] as const);

  test.each(steps)('adds to %s what %s brings', (before, release) => {
    expect(without(namesIn(full(release)), namesIn(full(before)))).toEqual(
      [...(added[release] ?? [])].sort(),
    );
  });

  test('that is the oldest has all that none of the others brings', () => {
    const names = designedRows.flatMap(([name, { aliases = [] }]) => [name, ...aliases]);
    expect(namesIn(full('1.4.0')).sort()).toEqual(without(names, Object.values(added).flat()));
  });

  test('takes only the boolean scan mode away, when the enumerated one comes', () => {
    const gone = steps.map(([before, release]) => without(namesIn(full(before)), namesIn(full(release))));
    expect(gone.flat()).toEqual(['EnableColaScan']);
    expect(namesIn(full('1.5.0'))).toContain('EnableColaScan');
    expect(namesIn(full('2.1.0'))).not.toContain('EnableColaScan');
  });

  test('serves an alias as its variable', () => {
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

describe('the basic variant', () => {
  test('lacks fields, IMU, encoder, contamination and recorder, and nothing else', () => {
    const basic = namesIn({ release: '2.4.4', variant: 'basic' });
    expect(without(namesIn(full('2.4.4')), basic)).toEqual([...fullOnly].sort());
    expect(without(basic, namesIn(full('2.4.4')))).toEqual([]);
  });
});

describe('the type picoScan120', () => {
  test('lacks what basic lacks, profiles, inputs, and all filters but the particle filter', () => {
    const smaller = namesIn({ release: '2.2.1', variant: 'picoScan120' });
    const basic = namesIn({ release: '2.2.1', variant: 'basic' });
    expect(without(basic, smaller)).toEqual([...basicOnly].sort());
    expect(without(smaller, basic)).toEqual([]);
    // The description of 2.2.1 has these, operatingMode, and no EtherLegacyScanMode.
    expect(smaller).toHaveLength(83);
  });

  test('works with 20 Hz, 0.1° and the first echo', () => {
    const { PerformanceProfileNumber } = basicSettings.members;
    expect(performanceProfiles[PerformanceProfileNumber.valueIfAbsent]).toMatchObject({
      frequency: 2000,
      resolution: 1000,
    });
    expect(filter.members.FREchoFilter.valueIfAbsent).toBe(EchoFilter.FIRST_ECHO);
  });
});

describe('the files', () => {
  const known = allFiles.filter(({ name }) => isDesigned(name));
  const verbs = ['GET', 'PUT', 'POST'] as const;

  test.each(releases)('of %s ask for a session token where the design says so', (release) => {
    for (const file of known) {
      for (const verb of verbs) {
        const since = tokenSince[file.name]?.[verb];
        const asked = since !== undefined && releases.indexOf(release) >= releases.indexOf(since);
        expect(file.needsToken(verb, release), `${verb} ${file.name}`).toBe(asked);
      }
    }
  });

  test('take the media types, the part and the query that the descriptions state', () => {
    const upload = { accepts: ['multipart/form-data', 'application/octet-stream'], part: 'datei' };
    const { parameterbackup } = backupRestore.members;
    expect(parameterbackup.facts.verbs).toMatchObject({
      GET: { produces: 'application/json' },
      PUT: upload,
      POST: upload,
    });
    expect(firmwareUpdate.members.update.facts.verbs).toMatchObject({
      PUT: { accepts: ['application/octet-stream'] },
    });
    expect(diagnosticFile.members['crown/file'].facts.verbs).toMatchObject({
      GET: { produces: 'application/zip', query: ['filePath'] },
    });
  });
});

describe('the events', () => {
  test('are pushed from release 2.3.1 on', () => {
    const first = releases.indexOf('2.3.1');
    for (const release of releases.slice(0, first)) expect(eventsIn(full(release)), release).toEqual([]);
    for (const release of releases.slice(first)) {
      expect(eventsIn(full(release)).sort(), release).toEqual([...designedEvents].sort());
    }
  });

  test('are fewer where the variant lacks their variables', () => {
    expect(eventsIn({ release: '2.4.4', variant: 'basic' }).sort()).toEqual(
      without(designedEvents, fullOnly),
    );
  });
});

describe('a factory value', () => {
  test.each(releases)('names the release %s as its version', (release) => {
    const { DeviceIdent } = device.members;
    expect(DeviceIdent.factoryValue({ release, createdWith: '1.4.0' })).toEqual({
      Name: 'picoScan',
      Version: `${release}.0R`,
    });
  });

  test('of the DHCP fallback is that of the release that the scanner was delivered with', () => {
    const { EtherDHCPFallback } = ethernet.members;
    expect(EtherDHCPFallback.factoryValue({ release: '2.4.4', createdWith: '1.5.0' })).toBe(1);
    expect(EtherDHCPFallback.factoryValue({ release: '1.4.0', createdWith: '1.4.0' })).toBe(1);
    expect(EtherDHCPFallback.factoryValue({ release: '2.4.4', createdWith: '2.1.0' })).toBe(0);
  });

  test('is the default of the type where nothing is stated', () => {
    const { EtherIPAddress } = ethernet.members;
    expect(EtherIPAddress.factoryValue({ release: '1.4.0', createdWith: '1.4.0' })).toEqual([192, 168, 0, 1]);
  });
});
