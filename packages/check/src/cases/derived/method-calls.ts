import type { Json } from '../../match/matcher.js';
import { call, get, post, type Step } from '../../steps/index.js';
import type { Need, Stage } from '../case.js';
import { noBundle } from '../tls/bundle-steps.js';

/** How the cases of a method may call it. */
export interface MethodCall {
  /** Stage of what a call does if the scanner should carry it out by mistake. `read` by default: it does nothing. */
  readonly harm?: Stage;
  /** A request whose members are valid, and that does as little as possible. By default, zeros and blanks. */
  readonly request?: Json;
  /** A call that succeeds, and what it needs before and after it. Without it, other areas call the method. */
  readonly calls?: {
    readonly stage: Stage;
    /** What a scanner needs so that it can be put back afterwards. */
    readonly needs?: readonly Need[];
    readonly before?: readonly Step[];
    readonly after?: readonly Step[];
  };
}

const writes = { stage: 'write' } as const;

const measures = get(
  'DeviceStatus',
  { data: { has: { DeviceStatus: { is: 3 } } } },
  { requires: 'the scanner does not measure' },
);

/** Stops measuring for a moment, if it measures. */
const stops: MethodCall = {
  harm: 'write',
  calls: { stage: 'write', before: [measures], after: [call('mStartMeasure', undefined)] },
};

/**
 * All methods that need more than zeros and blanks, or whose calls do something. Requests are such that a scanner that takes a
 * wrong member by mistake does as little as possible: fields, outputs and levels that do not exist.
 */
export const methodCalls: Readonly<Record<string, MethodCall>> = {
  getChallenge: { request: { user: 'Service' }, calls: { stage: 'read' } },
  checkCredentials: { calls: writes },
  // Nobody can change the password of this level.
  changePassword: { request: { encryptedMessage: [0], userLevel: 'Run' }, calls: { stage: 'read' } },
  SetPassword: { request: { siUserLevel: 9, udiNewPassword: 1 }, calls: writes },
  EnableUserLevel: { request: { userLevel: 9, isEnabled: true }, calls: writes },
  EnableLegacyUserLevel: { request: { userLevel: 7, isEnabled: true }, calls: writes },
  WriteEeprom: { harm: 'reboot', calls: { stage: 'reboot' } },
  SoftReset: { harm: 'reboot' },
  RebootDevice: { harm: 'reboot' },
  // The password of Service is that of the factory afterwards.
  LoadFactoryDefaults: {
    harm: 'destructive',
    calls: { stage: 'destructive', needs: ['factory-access'] },
  },
  LoadApplicationDefaults: { harm: 'destructive', calls: { stage: 'destructive' } },
  CreateSessionToken: { calls: writes },
  FindMe: { request: { uiDuration: 1 }, calls: writes },
  mStartMeasure: { harm: 'write', calls: { stage: 'write', before: [measures] } },
  mStopMeasure: stops,
  mStandby: stops,
  LSPsetdatetime: {
    request: {
      DateTime: { uiYear: 2026, usiMonth: 1, usiDay: 15, usiHour: 12, usiMinute: 30, usiSec: 10, udiUSec: 5 },
    },
  },
  EthernetUpdate: { harm: 'reboot', calls: { stage: 'reboot' } },
  SetWebserverEnabled: { harm: 'write', request: { Enable: true } },
  GetWebserverEnabled: { calls: { stage: 'read' } },
  GetDiagnosisDumpInfo: { calls: { stage: 'read' } },
  DoDiagnosisDump: { harm: 'write' },
  // No certificate, which is refused in the response.
  setCertificateBundle: {
    request: { contentCertificateBundle: 'x', contentPrivateKey: 'x' },
    calls: writes,
  },
  removeCertificateBundle: { harm: 'destructive', calls: { stage: 'destructive', before: [noBundle] } },
  // No port has this number.
  SetOutput: { request: { Output: 99, Value: 0 }, calls: writes },
  mResetOutputCounter: { harm: 'destructive', calls: { stage: 'destructive' } },
  mResetEncoderIncrement: { harm: 'destructive', calls: { stage: 'destructive' } },
  StartScanMerge: { harm: 'destructive' },
  StopScanMerge: { harm: 'destructive' },
  ResetScanMergeView: { harm: 'destructive', calls: { stage: 'destructive' } },
  ActivateEvaluationGroup: { request: { List: [] }, calls: writes },
  GetFieldEvaluationContour: { request: { EvaluationId: 1 }, calls: writes },
  // No evaluation has the number 0.
  SetFieldEvaluationContour: {
    request: { EvaluationId: 0, Points: [{ x: 0, y: 0 }], LowerZLimit: 0, UpperZLimit: 0 },
    calls: writes,
  },
  StartTeachIn: { harm: 'destructive' },
  StopTeachIn: { harm: 'destructive' },
  CreateParameterBackup: { harm: 'write' },
  RestoreParameterBackup: { harm: 'destructive' },
  ResetDetectionHistory: { harm: 'destructive', calls: { stage: 'destructive' } },
  RunFirmwareUpdate: { harm: 'destructive' },
};

/** Makes a call as the level of the method needs it: with a login, or without one. */
export function calling(isOpen: boolean): typeof post {
  return isOpen
    ? post
    : (name, expect, options) => post(name, expect, { login: { level: 'Service' }, ...options });
}
