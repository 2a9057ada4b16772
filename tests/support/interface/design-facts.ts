import type { CallLevel, Level, ProfileFacts, Release, Section, Variant } from '@azimuth/model';

/**
 * Statements of the design, the descriptions and the facts of the family about one name. A statement that is absent is
 * not true.
 */
export interface Designed {
  /** Level that may call it: it is a method. */
  readonly call?: CallLevel;
  /** The names of the members of its request; a question mark is before those that a caller may leave out. */
  readonly takes?: readonly string[];
  /** The lowest level that may write it. */
  readonly write?: Level;
  readonly unit?: string;
  readonly event?: true;
  readonly aliases?: readonly string[];
  readonly section?: Section;
  readonly variant?: Variant;
  /** It is a file, with these verbs. */
  readonly verbs?: readonly string[];
}

type Names = Readonly<Record<string, Designed>>;

/** Facts of every name of a group. */
function all(common: Designed, names: Names): Names {
  return Object.fromEntries(
    Object.entries(names).map(([name, designed]) => [name, { ...common, ...designed }]),
  );
}

const client = { write: 'AuthorizedClient' } as const;
const clientOfBasic = { write: 'AuthorizedClient', variant: 'basic' } as const;
const clientOfFull = { write: 'AuthorizedClient', variant: 'full' } as const;
const calledByClient = { call: 'AuthorizedClient' } as const;
const calledByService = { call: 'Service' } as const;

/**
 * Every name that the specification, the published descriptions or the design know, in the groups of the
 * specification and in its order.
 */
export const designed: Readonly<Record<string, Names>> = {
  General: {
    getChallenge: { call: 'open', takes: ['user'] },
    checkCredentials: { call: 'login' },
    changePassword: { call: 'open', takes: ['encryptedMessage', 'userLevel'] },
    SetPassword: { call: 'login', takes: ['siUserLevel', 'udiNewPassword'] },
    EnableUserLevel: { call: 'Service', takes: ['userLevel', 'isEnabled'] },
    EnableLegacyUserLevel: { call: 'Service', takes: ['userLevel', 'isEnabled'] },
    WriteEeprom: calledByClient,
    SoftReset: { call: 'AuthorizedClient', takes: ['ProcessorNbr'] },
    RebootDevice: calledByClient,
    LoadFactoryDefaults: calledByService,
    LoadApplicationDefaults: calledByClient,
    LFTchecksum: {},
    CreateSessionToken: calledByService,
  },
  Status: {
    DeviceStatus: { event: true },
    SCdevicestate: { event: true },
    temperatureAlarmConfiguration: { write: 'AuthorizedClient', unit: '°C' },
    temperatureAlarmStatus: { event: true },
  },
  Device: {
    DeviceIdent: {},
    DeviceType: {},
    LocationName: client,
    SerialNumber: {},
    FirmwareVersion: {},
    OrderNumber: {},
    FindMe: { call: 'login', takes: ['uiDuration'] },
    laserType: {},
    sipmType: {},
  },
  'Basic settings': {
    PerformanceProfileNumber: clientOfBasic,
    ScanConfig: { unit: '1/100 Hz; 1/10000°' },
    AutoStartMeasure: client,
    mStartMeasure: calledByClient,
    mStopMeasure: calledByClient,
    mStandby: calledByClient,
    SensitivityMode: clientOfBasic,
    EnableLongRangeMode: clientOfBasic,
    LEDEnable: client,
    LEDState: {},
  },
  'Date and system time': {
    LSPdatetime: { event: true },
    LSPsetdatetime: { call: 'AuthorizedClient', takes: ['DateTime'] },
    TSCRole: client,
    TSCTCSrvAddr: client,
    TSCTCtimezone: client,
    TSCTCupdatetime: { write: 'AuthorizedClient', unit: 's' },
  },
  Filter: {
    MCSenseLevel: clientOfBasic,
    LFPparticle: { write: 'AuthorizedClient', unit: 'mm' },
    LFPmovingAveragingFilter: { ...clientOfBasic, unit: 'scans' },
    FREchoFilter: clientOfBasic,
  },
  'Mounting position': {
    SensorPosition: { write: 'AuthorizedClient', unit: 'mm; 1/10000°' },
  },
  'Contamination indication': all(
    { variant: 'full' },
    {
      ContaminationConfig: { write: 'AuthorizedClient', unit: 's' },
      ContaminationData: { event: true },
      ContaminationResult: { event: true },
      ContaminationActiveSectors: {},
      treatBlockedSectorsAsErrorSectors: client,
    },
  ),
  Ethernet: {
    EtherIPAddress: client,
    EtherIPGateAddress: client,
    EtherIPMask: client,
    EtherAddressingMode: client,
    EtherDHCPFallback: client,
    EtherIPAddressDHCP: {},
    EtherIPGateAddressDHCP: {},
    EtherIPMaskDHCP: {},
    EtherMACAddress: {},
    EthernetUpdate: calledByClient,
  },
  'Legacy protocols': {
    EtherAuxEnabled: client,
    EtherAuxIPPort: client,
    EtherHostIPPort: client,
    EnableColaScan: client,
    EtherLegacyScanMode: { write: 'AuthorizedClient', aliases: ['EtherCoLaScanMode'] },
    EtherSessionTimeout: { write: 'Service', unit: 'ms' },
  },
  'Webserver settings': {
    SetWebserverEnabled: { call: 'AuthorizedClient', takes: ['Enable'] },
    GetWebserverEnabled: { call: 'open' },
  },
  'Inputs and outputs': {
    PortConfiguration: { write: 'AuthorizedClient', unit: 'ms' },
    InputState: { event: true, variant: 'basic' },
    OutputState: { event: true },
    PortState: { event: true },
    SetOutput: { call: 'login', takes: ['Output', 'Value'] },
    mResetOutputCounter: calledByClient,
  },
  'Measurement data output': {
    ScanDataEnable: client,
    ScanDataEthSettings: client,
    ScanDataFormat: client,
    ScanDataConfig: client,
    compactTelegramType1Content: client,
    rosDomainId: client,
    rosFrameId: client,
    rosParentFrameId: client,
    rosNamespace: client,
    EncSetting: clientOfFull,
    EncResolution: { ...clientOfFull, unit: 'mm per tick' },
    ActualEncPosition1Enable: clientOfFull,
    ActualEncPosition2Enable: clientOfFull,
    mResetEncoderIncrement: { call: 'AuthorizedClient', variant: 'full' },
    EncoderDataEnable: clientOfFull,
    EncoderDataEthSettings: clientOfFull,
    ScanMergerEnabled: clientOfFull,
    ScanMergerSource: clientOfFull,
    ScanMergeTrigger: clientOfFull,
    EncoderTransformationType: clientOfFull,
    EncoderRotation: { ...clientOfFull, unit: '°' },
    EncoderTranslation: { ...clientOfFull, unit: 'mm' },
    RotationOffset: { ...clientOfFull, unit: 'mm' },
    StartScanMerge: { call: 'AuthorizedClient', variant: 'full' },
    StopScanMerge: { call: 'AuthorizedClient', variant: 'full' },
    ResetScanMergeView: { call: 'AuthorizedClient', variant: 'full' },
    MergeRunning: { variant: 'full' },
    MergeSaving: { variant: 'full' },
    SaveProgress: { variant: 'full', unit: '%' },
  },
  'IMU data output': all(
    { variant: 'full' },
    {
      ImuDataEnable: client,
      ImuDataEthSettings: client,
      InertialMeasurementUnit: { unit: 'm/s²; rad/s; µs', event: true },
    },
  ),
  'Data reduction': {
    LFPangleRangeFilter: { ...clientOfBasic, unit: '1/10000°' },
    LFPintervalFilter: { ...clientOfBasic, unit: 'scans' },
  },
  'Region of interest': {
    LFPradialDistanceRangeFilter: { ...clientOfBasic, unit: 'mm' },
    LFPcubicareafilter: { ...clientOfBasic, unit: 'mm' },
  },
  'Field evaluation': all(
    { section: 'application', variant: 'full' },
    {
      FieldEvaluationResult: { unit: 'ms; mm', event: true },
      FieldEvaluationGroupState: {},
      EvaluationGroupType: {},
      ActivateEvaluationGroup: { call: 'login', takes: ['List'] },
      GetFieldEvaluationContour: { call: 'AuthorizedClient', takes: ['EvaluationId'] },
      SetFieldEvaluationContour: {
        call: 'AuthorizedClient',
        takes: ['EvaluationId', 'Points', 'LowerZLimit', 'UpperZLimit'],
      },
      StartTeachIn: calledByClient,
      StopTeachIn: calledByClient,
    },
  ),
  'Perpendicular distance': {
    perpendicularDistanceResult: { unit: 'ms; mm', event: true, section: 'application', variant: 'full' },
  },
  'Operating data': {
    CurrentTempDev: { unit: '°C', event: true },
    DailyOpHours: { unit: 'h' },
    OpHours: { unit: '1/10 h' },
    PowerOnCnt: {},
    LastParaDate: {},
    LastParaTime: {},
  },
  'Diagnostic file': {
    DoDiagnosisDump: { call: 'Service', takes: ['?DoRunlevelLoop', '?Output'] },
    GetDiagnosisDumpInfo: { call: 'open' },
    'crown/file': { verbs: ['GET'] },
  },
  'Detection history': all(
    { section: 'application', variant: 'full' },
    {
      EnableDetectionHistory: client,
      EvaluationsToLog: client,
      ResetDetectionHistory: calledByClient,
    },
  ),
  'Firmware update': {
    RunFirmwareUpdate: calledByService,
    UpdateState: { event: true },
    update: { verbs: ['PUT'] },
  },
  Cybersecurity: {
    httpsStatus: {},
    certificateBundleInfo: {},
    setCertificateBundle: { call: 'Service', takes: ['contentCertificateBundle', 'contentPrivateKey'] },
    removeCertificateBundle: calledByService,
  },
  'Backup/Restore': {
    CreateParameterBackup: { call: 'Service', takes: ['?Passphrase'] },
    CreateParameterBackupResult: {},
    RestoreParameterBackup: { call: 'Service', takes: ['?Passphrase', '?Filter'] },
    RestoreParameterBackupResult: {},
    enableCloningPlug: { write: 'Service' },
    parameterbackup: { verbs: ['GET', 'PUT', 'POST'] },
  },
};

/** The groups of the specification, in its order. */
export const designedGroups: readonly string[] = Object.keys(designed);

/** Every name with what is said of it. */
export const designedRows: readonly (readonly [string, Designed])[] = Object.values(designed).flatMap(
  (names) => Object.entries(names),
);

const known = new Set(designedRows.flatMap(([name, { aliases = [] }]) => [name, ...aliases]));

/** Is it a name, or an alias, that the specification, the descriptions or the design know? */
export function isDesigned(name: string): boolean {
  return known.has(name);
}

function named(matches: (facts: Designed) => boolean): readonly string[] {
  return designedRows.filter(([, facts]) => matches(facts)).map(([name]) => name);
}

/** Names that the smallest type does not have, beside those. */
export const basicOnly = named(({ variant }) => variant === 'basic');

/** Names that only the full variant has. */
export const fullOnly = named(({ variant }) => variant === 'full');

/** The events that devices push. */
export const designedEvents = named(({ event }) => event === true);

/** Scan frequency in Hz and angular resolution in degrees of each performance profile. */
const profilesInHertzAndDegrees: readonly (readonly [number, number, number])[] = [
  [1, 15, 0.5],
  [2, 15, 0.3333],
  [3, 20, 0.1],
  [4, 20, 0.25],
  [5, 25, 0.25],
  [6, 30, 0.1],
  [7, 40, 0.25],
  [8, 50, 0.25],
  [9, 15, 0.05],
  [10, 40, 0.125],
  [11, 15, 1],
];

/** The performance profiles by their number, in the units of the interface. */
export const designedProfiles: Readonly<Record<number, ProfileFacts>> = Object.fromEntries(
  profilesInHertzAndDegrees.map(([number, hertz, degrees]) => [
    number,
    { frequency: hertz * 100, resolution: Math.round(degrees * 10_000) },
  ]),
);

/** The first release that asks for a session token, for each verb of a file that ever does. */
export const tokenSince: Readonly<Record<string, Readonly<Record<string, Release>>>> = {
  parameterbackup: { GET: '2.3.1', PUT: '2.3.1', POST: '2.3.1' },
  update: { PUT: '2.3.1' },
};
