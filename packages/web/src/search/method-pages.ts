/** The page on which a method is called, by the name of the method. A method that is not here is called by a command only. */
const pageOfMethod: Readonly<Record<string, string>> = {
  changePassword: 'users',
  SetPassword: 'users',
  EnableUserLevel: 'users',
  EnableLegacyUserLevel: 'users',
  WriteEeprom: 'parameters',
  LoadFactoryDefaults: 'parameters',
  LoadApplicationDefaults: 'parameters',
  SoftReset: 'restart',
  RebootDevice: 'restart',
  FindMe: 'overview',
  mStartMeasure: 'restart',
  mStopMeasure: 'restart',
  mStandby: 'restart',
  LSPsetdatetime: 'time',
  EthernetUpdate: 'network',
  SetWebserverEnabled: 'network',
  GetWebserverEnabled: 'network',
  SetOutput: 'ports',
  mResetOutputCounter: 'ports',
  StartScanMerge: 'recording',
  StopScanMerge: 'recording',
  ResetScanMergeView: 'recording',
  ActivateEvaluationGroup: 'fields',
  GetFieldEvaluationContour: 'fields',
  SetFieldEvaluationContour: 'fields',
  StartTeachIn: 'fields',
  StopTeachIn: 'fields',
  DoDiagnosisDump: 'diagnosis',
  ResetDetectionHistory: 'detections',
  RunFirmwareUpdate: 'firmware',
  setCertificateBundle: 'certificates',
  removeCertificateBundle: 'certificates',
  CreateParameterBackup: 'backup',
  RestoreParameterBackup: 'backup',
};

/** The page on which a method is called; undefined if no page calls it. */
export function pageForMethod(name: string): string | undefined {
  return pageOfMethod[name];
}
