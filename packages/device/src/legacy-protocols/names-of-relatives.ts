import { array, boolean, fieldEvaluation, integer, string, struct } from '@azimuth/model';
import { type Customary, customary, customaryMethod } from './customary.js';
import { scanConfig, scanConfigOf } from './output-range.js';

/*
 * What drivers send to relatives of this scanner, and what it can say to that: in the form that a public test server, a
 * dissector or clients of such devices know. It changes nothing.
 */

const { FieldEvaluationResult } = fieldEvaluation.members;

/** IsSystemReady: 1. While the scanner is not ready for requests, nobody has a session. */
export const isSystemReady: Customary = { kind: 'method', response: boolean(), call: () => true };

/** ECRChangeArr, changes of monitored fields: it can be followed, and LFErec alone tells them. */
export const monitoredFieldChanges: Customary = { kind: 'event' };

/** What has become of a wish for another scan configuration, as the family counts. */
const ScanConfigStatus = { ok: 0, wrongFrequency: 1, wrongResolution: 2, otherError: 5 } as const;

/**
 * mLMPsetscancfg: the scan configuration of the performance profile, which stays in force, and whether it is what was
 * asked for. Angles are not compared: LMPoutputRange is for them, and drivers send 0 here.
 */
export const setScanConfig: Customary = customaryMethod({
  request: scanConfig,
  response: struct({
    status: integer('uint8'),
    frequency: integer('uint32'),
    count: integer('uint16'),
    step: integer('uint32'),
    start: integer('int32'),
    stop: integer('int32'),
  }),
  level: 'AuthorizedClient',
  call: ({ parameters }, { frequency, step }) => {
    const inForce = scanConfigOf(parameters);
    const resolution = step === inForce.step ? ScanConfigStatus.ok : ScanConfigStatus.wrongResolution;
    const status = frequency === inForce.frequency ? resolution : ScanConfigStatus.wrongFrequency;
    return { status, ...inForce };
  },
});

/** mCLsetscancfglist: numbers of a list that each relative has of its own. There is none here. */
export const setScanConfigOfList: Customary = customaryMethod({
  request: integer('uint8'),
  response: integer('uint8'),
  level: 'AuthorizedClient',
  call: () => ScanConfigStatus.otherError,
});

const application = struct({ name: string({ minLength: 4, maxLength: 4 }), isActive: boolean() });

/** SetActiveApplications: evaluating fields and measuring distances both go on, whatever is written. */
export const activeApplications: Customary = customary(array(application, { maxItems: 8 }), {
  read: ({ edition }) => [
    { name: 'FEVL', isActive: FieldEvaluationResult.isIn(edition) },
    { name: 'RANG', isActive: true },
  ],
  level: 'AuthorizedClient',
  write: () => undefined,
});

/** ScanLayerFilter: the one layer that there is, always on. */
export const scanLayerFilter: Customary = customary(array(boolean(), { maxItems: 16 }), {
  read: () => [true],
  level: 'AuthorizedClient',
  write: () => undefined,
});
