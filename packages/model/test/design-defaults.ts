/** Number of evaluations, and of groups of them. */
const slots = 48;
const ports = 8;

function times<T>(count: number, item: T): T[] {
  return Array.from({ length: count }, () => item);
}

const input = { Logic: 0, Debounce: 10, Sensitivity: 1, Reserved1: 0, Reserved2: 0 };
const output = {
  OutputMode: 0,
  RestartType: 0,
  RestartTime: 200,
  RestartInput: 1,
  Combination: 1,
  Reserved3: 0,
  Reserved4: 0,
};
const ready = { Name: 'DRDY', Invert: false, Reserved5: 0, Reserved6: 0 };

/** The outputs are low while the scanner is ready. */
function port(number: number) {
  const isOutput = [1, 2, 7, 8].includes(number);
  return {
    PortType: isOutput ? 1 : 0,
    Name: `InOut${number}`,
    InputSettings: input,
    OutputSettings: { ...output, Logic: isOutput ? 1 : 0, Sources: isOutput ? [ready] : [] },
    EncoderPortType: 0,
    Reserved8: 0,
    Reserved9: 0,
    Reserved10: 0,
  };
}

const tristate = { IOState: { eIOState: 2 } };

/**
 * Defaults of variables, by their place, that no description publishes, or that deviate from the published ones. Also
 * defaults that people rely on: addresses, ports, thresholds.
 */
export const variableDefaults: Readonly<Record<string, unknown>> = {
  EnableColaScan: true,
  ContaminationActiveSectors: [],
  EvaluationsToLog: times(slots, true),
  FieldEvaluationGroupState: times(slots, 0),
  EvaluationGroupType: times(slots, 0),
  PortConfiguration: Array.from({ length: ports }, (_, index) => port(index + 1)),
  'PortConfiguration[].OutputSettings.Sources[].Name': '    ',
  'InputState.udiSystCount': 0,
  'InputState.aDigitalIn': times(ports, tristate),
  'OutputState.udiSystCount': 0,
  'OutputState.aDigitalOut': times(ports, { ...tristate, udiCounter: 0 }),
  'PortState.uiVersionNumber': 1,
  'PortState.udiSystCount': 0,
  'PortState.aInternalPorts[].PortCounter': 0,
  'PortState.aExternalPorts[].PortCounter': 0,
  'ScanConfig.ScanRange.aRange': [{ udiAngleRes: 2500, diStartAngle: -1_380_000, diStopAngle: 1_380_000 }],
  'ScanDataConfig.reserved': 0,
  'InertialMeasurementUnit.TimeStamp': 0,
  'FieldEvaluationResult.Timestamp': 0,
  'perpendicularDistanceResult.timestamp': 0,
  'perpendicularDistanceResult.evaluations[].evaluationId': 0,
  'perpendicularDistanceResult.evaluations[].minimumDistance': 0,
  'perpendicularDistanceResult.evaluations[].maximumDistance': 0,
  'CreateParameterBackupResult.Status': 0,
  'RestoreParameterBackupResult.Status': 0,
  'RestoreParameterBackupResult.ParametersFailedToRestore': [],

  rosNamespace: '',
  'LFTchecksum.MD5LinuxRoot': '',
  'LFTchecksum.MD5App': '',
  'LFTchecksum.MD5Calibration': '',
  'LFTchecksum.MD5Parameters': '',
  'LEDState[].Id': '',
  'httpsStatus.errorCode.error': 'None',
  'certificateBundleInfo.errorCode.error': 'None',
  'certificateBundleInfo.uuidBundle': '',
  'certificateBundleInfo.certificates[].names[].entry': '',
  'certificateBundleInfo.certificates[].issuer': '',
  'certificateBundleInfo.certificates[].subject': '',
  'certificateBundleInfo.certificates[].serialNumber': '',
  'certificateBundleInfo.certificates[].fingerprint': '',

  ScanDataEthSettings: { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 2115 },
  ImuDataEthSettings: { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 7503 },
  EncoderDataEthSettings: { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 7504 },
  EtherMACAddress: [0, 6, 119, 0, 0, 0],
  TSCTCSrvAddr: [192, 168, 0, 11],
  PerformanceProfileNumber: 2,
  temperatureAlarmConfiguration: { upperThreshold: 55, lowerThreshold: 50 },
  EtherSessionTimeout: 15_000,
};

/** Defaults of requests, of the same kind. */
export const requestDefaults: Readonly<Record<string, unknown>> = {
  'SetPassword.siUserLevel': 0,
  'SetPassword.udiNewPassword': 0,
  'EnableUserLevel.userLevel': 0,
  'EnableLegacyUserLevel.userLevel': 0,
  'SoftReset.ProcessorNbr': 0,
  'FindMe.uiDuration': 1,
  'SetOutput.Output': 0,
  'SetOutput.Value': 0,
  'GetFieldEvaluationContour.EvaluationId': 0,
  'SetFieldEvaluationContour.EvaluationId': 0,
  'SetFieldEvaluationContour.LowerZLimit': 0,
  'SetFieldEvaluationContour.UpperZLimit': 0,
  'DoDiagnosisDump.Output': '',
  'setCertificateBundle.contentCertificateBundle': '',
  'setCertificateBundle.contentPrivateKey': '',
  'CreateParameterBackup.Passphrase': '',
  'RestoreParameterBackup.Passphrase': '',
  'RestoreParameterBackup.Filter': 0,
};

/** Defaults of responses, of the same kind. */
export const responseDefaults: Readonly<Record<string, unknown>> = {
  'getChallenge.realm': '',
  'getChallenge.nonce': '',
  'getChallenge.opaque': '',
  'CreateSessionToken.token': '',
  'CreateSessionToken.timeToLive': 0,
  'GetFieldEvaluationContour.Contour[].EvaluationId': 0,
  'GetFieldEvaluationContour.Contour[].LowerZLimit': 0,
  'GetFieldEvaluationContour.Contour[].UpperZLimit': 0,
  'DoDiagnosisDump.Successful': false,
  'GetDiagnosisDumpInfo.DiagDumpTimestamp': 0,
  'setCertificateBundle.errorCode.error': 'None',
  'removeCertificateBundle.errorCode.error': 'None',
  'RestoreParameterBackup.RestoreResult': 0,
  'RestoreParameterBackup.ParametersFailedToRestore': [],
};

/** Types that deviate from the published ones: an address has exactly four numbers. */
export const correctedTypes: Readonly<Record<string, string>> = {
  TSCTCSrvAddr: 'uint8[4]',
  ScanDataEthSettings: '{ Protocol: uint8 {1 UDP, 2 TCP}; IPAddress: uint8[4]; Port: uint16 }',
  ImuDataEthSettings: '{ Protocol: uint8 {1 UDP, 2 TCP}; IPAddress: uint8[4]; Port: uint16 }',
  EncoderDataEthSettings: '{ Protocol: uint8 {1 UDP, 2 TCP}; IPAddress: uint8[4]; Port: uint16 }',
  EnableColaScan: 'boolean',
};
