import type { CallLevel, Release } from '../src/index.js';

/** What the specification says of one endpoint. What it leaves open is left out here. */
export interface Specified {
  readonly name: string;
  readonly verbs: string;
  /** The lowest level for a POST. */
  readonly level?: CallLevel;
  /** A variable's type. */
  readonly type?: string;
  /** A variable's default. */
  readonly initial?: unknown;
  /** A method's request and response. */
  readonly request?: string;
  readonly response?: string;
  /** The defaults of request members, then of response members. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly unit?: string;
  readonly since?: Release;
}

const readOnly: readonly Specified[] = [
  { name: 'DeviceIdent', verbs: 'GET', type: '{ Name: string 0..9; Version: string 0..8 }' },
  { name: 'SerialNumber', verbs: 'GET', type: 'string 0..9' },
  { name: 'FirmwareVersion', verbs: 'GET', type: 'string 0..40' },
  { name: 'OrderNumber', verbs: 'GET', type: 'string 0..32' },
  { name: 'DeviceStatus', verbs: 'GET' },
  { name: 'LastParaDate', verbs: 'GET', type: 'string 0..10' },
  { name: 'LastParaTime', verbs: 'GET', type: 'string 0..5' },
  { name: 'PowerOnCnt', verbs: 'GET', type: 'uint32', initial: 0 },
  { name: 'DailyOpHours', verbs: 'GET', type: 'float', initial: 0 },
  { name: 'OpHours', verbs: 'GET', unit: '1/10 h' },
  { name: 'EtherMACAddress', verbs: 'GET', type: 'uint8[6]' },
  { name: 'EtherIPAddressDHCP', verbs: 'GET', type: 'uint8[4]', initial: [192, 168, 0, 1] },
  { name: 'EtherIPGateAddressDHCP', verbs: 'GET', type: 'uint8[4]', initial: [0, 0, 0, 0] },
  { name: 'EtherIPMaskDHCP', verbs: 'GET', type: 'uint8[4]', initial: [255, 255, 255, 0] },
  {
    name: 'httpsStatus',
    verbs: 'GET',
    since: '2.1.0',
    type: '{ enabled: boolean; errorCode: { error: string 0..100 } }',
    defaults: { enabled: false },
  },
  {
    name: 'certificateBundleInfo',
    verbs: 'GET',
    since: '2.1.0',
    type:
      '{ uuidBundle: string 0..100; certificates: { names: { entry: string 0..1000 }[0..20]; issuer: string 0..1000; ' +
      'subject: string 0..1000; serialNumber: string 0..119; fingerprint: string 0..119; ' +
      'validNotBefore: string 24..24; validNotAfter: string 24..24 }[0..4]; errorCode: { error: string 0..100 } }',
  },
  { name: 'UpdateState', verbs: 'GET' },
];

const writable: readonly Specified[] = [
  {
    name: 'LocationName',
    verbs: 'GET POST',
    level: 'AuthorizedClient',
    type: 'string 0..32',
    initial: 'not defined',
  },
  {
    name: 'EtherIPAddress',
    verbs: 'GET POST',
    level: 'AuthorizedClient',
    type: 'uint8[4]',
    initial: [192, 168, 0, 1],
  },
  {
    name: 'EtherIPGateAddress',
    verbs: 'GET POST',
    level: 'AuthorizedClient',
    type: 'uint8[4]',
    initial: [0, 0, 0, 0],
  },
  {
    name: 'EtherIPMask',
    verbs: 'GET POST',
    level: 'AuthorizedClient',
    type: 'uint8[4]',
    initial: [255, 255, 255, 0],
  },
  {
    name: 'EtherAddressingMode',
    verbs: 'GET POST',
    level: 'AuthorizedClient',
    type: 'uint8 {0 TX_IP_STATIC, 1 TX_IP_DHCP}',
    initial: 0,
  },
  {
    name: 'EtherDHCPFallback',
    verbs: 'GET POST',
    level: 'AuthorizedClient',
    type: 'uint8 {0 TX_USE_STATIC_IP, 1 TX_RETRY_DHCP}',
    initial: 0,
  },
  {
    name: 'EtherAuxEnabled',
    verbs: 'GET POST',
    level: 'AuthorizedClient',
    type: 'boolean',
    initial: true,
  },
  {
    name: 'EtherLegacyScanMode',
    verbs: 'GET POST',
    level: 'AuthorizedClient',
    type: 'uint8 {0 ENABLED, 1 IP_CONFIG_DISABLED, 2 DISABLED, 3 IP_CONFIG_TIME_LIMIT}',
    initial: 3,
    since: '2.1.0',
  },
];

const methods: readonly Specified[] = [
  { name: 'checkCredentials', verbs: 'POST', level: 'login', request: '{}', response: '{}' },
  {
    name: 'getChallenge',
    verbs: 'POST',
    level: 'open',
    request: '{ user: level name }',
    response: '{ realm: string 0..64; nonce: string 0..64; opaque: string 0..64; salt: uint8[0..16] }',
    defaults: { salt: [] },
  },
  {
    name: 'changePassword',
    verbs: 'POST',
    level: 'open',
    since: '1.5.0',
    request: '{ encryptedMessage: uint8[0..96]; userLevel: level name }',
    response: '{ result: uint8 {0 SUCCESS, 2 NOT_ACCEPTED, 4 PWD_NOT_CHANGABLE, 5 TIMELOCK_ACTIVE} }',
    defaults: { encryptedMessage: [] },
  },
  {
    name: 'SetPassword',
    verbs: 'POST',
    since: '1.5.0',
    request: '{ siUserLevel: int8; udiNewPassword: uint32 }',
    response: '{ bSuccess: boolean }',
    defaults: { bSuccess: false },
  },
  {
    name: 'EnableUserLevel',
    verbs: 'POST',
    level: 'Service',
    since: '2.1.0',
    request: '{ userLevel: uint8; isEnabled: boolean }',
    response: '{ result: uint8 {0 SUCCESS, 2 NOT_ACCEPTED} }',
    defaults: { isEnabled: false },
  },
  {
    name: 'EnableLegacyUserLevel',
    verbs: 'POST',
    level: 'Service',
    since: '2.1.0',
    request: '{ userLevel: uint8 0..7; isEnabled: boolean }',
    response: '{ result: boolean }',
    defaults: { isEnabled: false, result: false },
  },
  {
    name: 'WriteEeprom',
    verbs: 'POST',
    level: 'AuthorizedClient',
    request: '{}',
    response: '{ Success: boolean }',
    defaults: { Success: false },
  },
  {
    name: 'SoftReset',
    verbs: 'POST',
    level: 'AuthorizedClient',
    request: '{ ProcessorNbr: uint16 }',
    response: '{}',
  },
  { name: 'RebootDevice', verbs: 'POST', level: 'AuthorizedClient', request: '{}', response: '{}' },
  { name: 'LoadFactoryDefaults', verbs: 'POST', level: 'Service', request: '{}', response: '{}' },
  {
    name: 'LoadApplicationDefaults',
    verbs: 'POST',
    level: 'AuthorizedClient',
    request: '{}',
    response: '{}',
  },
  {
    name: 'EthernetUpdate',
    verbs: 'POST',
    level: 'AuthorizedClient',
    since: '2.1.0',
    request: '{}',
    response: '{}',
  },
  {
    name: 'SetWebserverEnabled',
    verbs: 'POST',
    level: 'AuthorizedClient',
    request: '{ Enable: boolean }',
    response: '{}',
    defaults: { Enable: true },
  },
  {
    name: 'GetWebserverEnabled',
    verbs: 'POST',
    level: 'open',
    request: '{}',
    response: '{ IsEnabled: boolean }',
    defaults: { IsEnabled: true },
  },
  {
    name: 'setCertificateBundle',
    verbs: 'POST',
    level: 'Service',
    since: '2.1.0',
    request: '{ contentCertificateBundle: string 0..10000; contentPrivateKey: string 0..4000 }',
    response: '{ success: boolean; errorCode: { error: string 0..100 } }',
    defaults: { success: false },
  },
  {
    name: 'removeCertificateBundle',
    verbs: 'POST',
    level: 'Service',
    since: '2.1.0',
    request: '{}',
    response: '{ success: boolean; errorCode: { error: string 0..100 } }',
    defaults: { success: false },
  },
  {
    name: 'DoDiagnosisDump',
    verbs: 'POST',
    level: 'Service',
    request: '{ ?DoRunlevelLoop: boolean; ?Output: string 0..64 }',
    response: '{ Successfull: boolean; Successful: boolean }',
    defaults: { DoRunlevelLoop: false, Successfull: false },
  },
  {
    name: 'GetDiagnosisDumpInfo',
    verbs: 'POST',
    level: 'open',
    request: '{}',
    response: '{ DiagDumpExists: boolean; DiagDumpTimestamp: uint32 }',
    defaults: { DiagDumpExists: false },
  },
  { name: 'CreateParameterBackup', verbs: 'POST', since: '2.2.0' },
  { name: 'RestoreParameterBackup', verbs: 'POST', since: '2.2.0' },
  {
    name: 'CreateSessionToken',
    verbs: 'POST',
    level: 'Service',
    since: '2.3.1',
    request: '{}',
    response: '{ token: string 0..36; timeToLive: uint16 }',
  },
  { name: 'RunFirmwareUpdate', verbs: 'POST' },
];

const files: readonly Specified[] = [
  { name: 'crown/file', verbs: 'GET' },
  { name: 'parameterbackup', verbs: 'GET PUT POST', since: '2.2.0' },
  { name: 'update', verbs: 'PUT' },
];

const newer: readonly Specified[] = [
  { name: 'laserType', verbs: 'GET' },
  { name: 'sipmType', verbs: 'GET' },
  { name: 'treatBlockedSectorsAsErrorSectors', verbs: 'GET POST' },
  { name: 'enableCloningPlug', verbs: 'GET POST' },
  { name: 'compactTelegramType1Content', verbs: 'GET POST' },
  { name: 'ScanDataConfig', verbs: 'GET POST' },
  { name: 'EtherAuxIPPort', verbs: 'GET POST', since: '2.3.1', initial: 2111 },
  { name: 'EtherHostIPPort', verbs: 'GET POST', since: '2.3.1', initial: 2112 },
  { name: 'EtherSessionTimeout', verbs: 'GET POST', since: '2.3.1' },
  { name: 'rosDomainId', verbs: 'GET POST' },
  { name: 'rosFrameId', verbs: 'GET POST', since: '2.2.0' },
  { name: 'rosParentFrameId', verbs: 'GET POST', since: '2.2.0' },
  { name: 'rosNamespace', verbs: 'GET POST', since: '2.2.0' },
  { name: 'ScanMergerEnabled', verbs: 'GET POST', since: '2.3.1' },
  { name: 'ScanMergerSource', verbs: 'GET POST', since: '2.3.1' },
  { name: 'EncoderTransformationType', verbs: 'GET POST', since: '2.3.1' },
  { name: 'EncoderRotation', verbs: 'GET POST', since: '2.3.1' },
  { name: 'EncoderTranslation', verbs: 'GET POST', since: '2.3.1', unit: 'mm' },
  { name: 'RotationOffset', verbs: 'GET POST', since: '2.3.1' },
  { name: 'ScanMergeTrigger', verbs: 'GET POST', since: '2.3.1' },
  { name: 'StartScanMerge', verbs: 'POST', since: '2.3.1' },
  { name: 'StopScanMerge', verbs: 'POST', since: '2.3.1' },
  { name: 'ResetScanMergeView', verbs: 'POST', since: '2.3.1' },
  { name: 'MergeSaving', verbs: 'GET', since: '2.3.1' },
  { name: 'LFTchecksum', verbs: 'GET', since: '2.2.0' },
  { name: 'temperatureAlarmConfiguration', verbs: 'GET POST', since: '2.2.0' },
  { name: 'temperatureAlarmStatus', verbs: 'GET', since: '2.2.0' },
  { name: 'SensorPosition', verbs: 'GET POST' },
  { name: 'EncSetting', verbs: 'GET POST', since: '2.2.0' },
  { name: 'EncResolution', verbs: 'GET POST', since: '2.2.0' },
  { name: 'ActualEncPosition1Enable', verbs: 'GET POST', since: '2.2.0' },
  { name: 'ActualEncPosition2Enable', verbs: 'GET POST', since: '2.2.0' },
  { name: 'mResetEncoderIncrement', verbs: 'POST', since: '2.2.0' },
  { name: 'EncoderDataEthSettings', verbs: 'GET POST', since: '2.2.0' },
  { name: 'EncoderDataEnable', verbs: 'GET POST', since: '2.2.0' },
  { name: 'EvaluationGroupType', verbs: 'GET' },
  { name: 'GetFieldEvaluationContour', verbs: 'POST' },
];

/** Named in the specification without a verb or a payload. */
export const namedOnly = [
  'perpendicularDistanceResult',
  'EnableDetectionHistory',
  'EvaluationsToLog',
  'ResetDetectionHistory',
] as const;

/** The endpoints that the specification lists as those of newer firmware: the oldest release lacks them. */
export const newerNames: readonly string[] = newer.map(({ name }) => name);

/** The specification's endpoints, typed anew from its text. */
export const specified: readonly Specified[] = [...readOnly, ...writable, ...methods, ...files, ...newer];

/** The specification's table of errors. */
export const specifiedStatuses: readonly (readonly [number, string])[] = [
  [0, 'Ok'],
  [1, 'Parsing Failed'],
  [2, 'Invalid Data'],
  [3, 'Internal Server Error'],
  [4, 'Access Denied'],
  [5, 'Not Found'],
  [6, 'Out Of Range'],
  [7, 'Out Of Bounds'],
  [8, 'Read Only'],
  [9, 'Illegal Value'],
  [10, 'Invalid Challenge'],
  [11, 'Out Of Connections'],
];
