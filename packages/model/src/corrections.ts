/** A place where the model deviates from the published descriptions of devices of this interface family. */
export interface Correction {
  /** Name of the endpoint in the descriptions. */
  readonly name: string;
  /** Place in the endpoint, and the difference there. */
  readonly what: string;
  readonly reason: string;
}

/** Makes the corrections that have one reason. */
function because(reason: string, places: Readonly<Record<string, readonly string[]>>): Correction[] {
  return Object.entries(places).flatMap(([name, whats]) => whats.map((what) => ({ name, what, reason })));
}

/**
 * All corrections of the descriptions, reason by reason. A detail that a description leaves open is not among them: a
 * width of an enumeration (that of the maker's telegrams), an upper bound (that of the width), a default (0, false,
 * empty), the items of a list.
 */
export const corrections: readonly Correction[] = [
  ...because('Belongs to a scanner with several layers; a 2D scanner has one.', {
    bInterlacedMode: ['left out'],
    LFPlayerFilter: ['left out'],
    ScanDataPreformatting: ['left out'],
  }),
  ...because('Finds the ground in a 3D point cloud; a 2D scanner has no such filter.', {
    groundFilterEnable: ['left out'],
    groundFilterThresholds: ['left out'],
    groundFilterType: ['left out'],
  }),
  ...because(
    'Only a sister product has it, and neither the specification nor the device it describes does.',
    {
      CopySensorOrientationFromImu: ['left out'],
      operatingMode: ['left out'],
      EvaluationConfigState: ['left out'],
    },
  ),
  ...because('Removed in release 1.4.0, the oldest one: the state is read through DeviceStatus.', {
    FieldEvaluationApplicationState: ['left out'],
  }),
  ...because('The specification names it EtherLegacyScanMode; the published name is served beside it.', {
    EtherCoLaScanMode: ['alias of EtherLegacyScanMode'],
  }),
  ...because('The boolean that EtherLegacyScanMode replaced in release 2.1.0; no description is that old.', {
    EnableColaScan: ['added'],
  }),
  ...because('The specification allows 9 characters.', { DeviceIdent: ['value.Name length'] }),
  ...because('The description prints its own release; the device answers the one that it runs.', {
    DeviceIdent: ['value.Version default'],
  }),
  ...because('An IPv4 address has exactly four numbers: fewer mean no address.', {
    TSCTCSrvAddr: ['value items'],
    ScanDataEthSettings: ['value.IPAddress items'],
    ImuDataEthSettings: ['value.IPAddress items'],
    EncoderDataEthSettings: ['value.IPAddress items'],
  }),
  ...because('No length is published; 64 characters hold every realm, nonce and opaque that devices send.', {
    getChallenge: ['response.realm length', 'response.nonce length', 'response.opaque length'],
  }),
  ...because('A single blank is a placeholder for nothing; the empty string says so.', {
    getChallenge: ['response.realm default', 'response.nonce default', 'response.opaque default'],
    LFTchecksum: [
      'value.MD5LinuxRoot default',
      'value.MD5App default',
      'value.MD5Calibration default',
      'value.MD5Parameters default',
    ],
    LEDState: ['value[].Id default'],
    DoDiagnosisDump: ['request.Output default'],
    certificateBundleInfo: [
      'value.uuidBundle default',
      'value.certificates[].names[].entry default',
      'value.certificates[].issuer default',
      'value.certificates[].subject default',
      'value.certificates[].serialNumber default',
      'value.certificates[].fingerprint default',
    ],
    setCertificateBundle: ['request.contentCertificateBundle default', 'request.contentPrivateKey default'],
  }),
  ...because('A blank is no valid ROS namespace, and a writable default must be; empty means none.', {
    rosNamespace: ['value default'],
  }),
  ...because('A blank would be a passphrase like any other; without one the file is not encrypted.', {
    CreateParameterBackup: ['request.Passphrase default'],
    RestoreParameterBackup: ['request.Passphrase default'],
  }),
  ...because('Devices answer the word None where nothing is wrong, not a blank.', {
    httpsStatus: ['value.errorCode.error default'],
    certificateBundleInfo: ['value.errorCode.error default'],
    setCertificateBundle: ['response.errorCode.error default'],
    removeCertificateBundle: ['response.errorCode.error default'],
  }),
  ...because('One description spells the member with one l; both spellings stand in one reply.', {
    DoDiagnosisDump: ['response.Successful added'],
  }),
  ...because('Some devices answer a flag, others the outcome itself; both stand in one reply.', {
    RestoreParameterBackup: ['response.RestoreResult added', 'response.ParametersFailedToRestore added'],
  }),
  ...because('The maker names it where it tells how 3D recordings are made; no description lists it.', {
    MergeRunning: ['added'],
    SaveProgress: ['added'],
  }),
  ...because(
    'The factory value is read by a telegram: each of the seven sectors of this device is watched.',
    {
      ContaminationConfig: ['value.CustomSectors default'],
    },
  ),
  ...because('The specification lists a POST beside GET and PUT.', { parameterbackup: ['POST added'] }),
  ...because('Clients exist that send the file as it is, without multipart.', {
    parameterbackup: ['PUT application/octet-stream added'],
  }),
];

/** Places where the model deviates from the words of the specification itself. */
export const deviations: readonly Correction[] = because(
  'The specification speaks of a center in mm; the members are yaw, pitch and roll within ±360, which are angles.',
  { EncoderRotation: ['value unit'] },
);
