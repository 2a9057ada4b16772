import {
  contaminationIndication,
  counted,
  DeviceStatus,
  EvaluationGroupState,
  extensions,
  FieldState,
  fieldEvaluation,
  mostActiveEvaluations,
  operatingData,
  sectorCount,
  sectorStates,
  status,
} from '@azimuth/model';
import { type Check, problem, type Verdict, verdictFrom, warning } from '../check.js';
import { matchingSamples, totalOf } from '../metrics-page.js';
import type { Observation } from '../observation.js';

const { DeviceStatus: deviceStatus, temperatureAlarmConfiguration, temperatureAlarmStatus } = status.members;
const { CurrentTempDev } = operatingData.members;
const { ContaminationData, ContaminationResult, ContaminationConfig } = contaminationIndication.members;

const { FieldEvaluationResult, FieldEvaluationGroupState } = fieldEvaluation.members;
const { conditions, fields } = extensions.members;

const { count: most, from } = mostActiveEvaluations;

/** Temperature in °C of the factory alarm; for releases without an alarm. */
const { upperThreshold: usualLimit } = temperatureAlarmConfiguration.type.initial;

export const conditionChecks: readonly Check[] = [
  { name: 'status', about: 'the state of the scanner', reads: [deviceStatus, conditions], judge: state },
  { name: 'documents', about: 'whether its files could be read', reads: [], judge: documents },
  {
    name: 'contamination',
    about: 'whether the front screen is dirty',
    reads: [ContaminationResult, ContaminationData, ContaminationConfig],
    judge: contamination,
  },
  {
    name: 'temperature',
    about: 'whether it is too hot',
    reads: [CurrentTempDev, temperatureAlarmStatus, temperatureAlarmConfiguration],
    judge: temperature,
  },
  {
    name: 'fields',
    about: `whether more than ${most} fields are active`,
    reads: [FieldEvaluationResult, FieldEvaluationGroupState, fields],
    judge: activeFields,
  },
];

function state(observation: Observation): Verdict {
  const now = observation.value(deviceStatus);
  switch (now) {
    case undefined:
      return { unseen: observation.unknownReason(deviceStatus) };
    case DeviceStatus.DS_NormalOperation:
      return { fine: 'it measures' };
    case DeviceStatus.DS_Startup:
      return problem('the scanner is starting', 'wait until it has started');
    case DeviceStatus.DS_ServiceMode:
      return problem('the scanner is being serviced: firmware is being written', 'wait until it has ended');
    case DeviceStatus.DS_SuspendedOperation:
      return problem(
        'the scanner does not measure: measuring is switched off',
        observation.command('call mStartMeasure'),
        {
          question: 'Start measuring?',
          acts: [{ call: 'mStartMeasure' }],
        },
      );
    // The check of the contamination covers these two in more detail.
    case DeviceStatus.DS_ServiceRecommended:
      return warning('the scanner asks for service', 'clean the front screen, and look at the system plug');
    case DeviceStatus.DS_ServiceRequired:
      return problem('the scanner needs service: distances may be missing', 'clean the front screen');
    case DeviceStatus.DS_RecoverableError:
      return problem(
        `the scanner has a fault that may end by itself${reasonsOf(observation, now)}`,
        observation.command('diagnose fault.zip'),
      );
    case DeviceStatus.DS_FatalError:
      return problem(
        `the scanner has a fault for good${reasonsOf(observation, now)}`,
        'have it repaired or replaced',
      );
    default:
      return warning('the scanner does not know its state', observation.command('diagnose fault.zip'));
  }
}

/** Returns the reasons of a state, after a colon; empty for a scanner that does not report them. */
function reasonsOf(observation: Observation, now: number): string {
  const reasons = (observation.value(conditions) ?? []).filter(({ Status }) => Status === now);
  return reasons.length === 0 ? '' : `: ${reasons.map(({ Reason }) => Reason).join('; ')}`;
}

function documents({ facts: { metrics } }: Observation): Verdict {
  if (metrics === undefined) return { unseen: 'this scanner has no page of metrics' };
  const [, page] = metrics;
  const lost = matchingSamples(page, 'lost_documents').filter(({ value }) => value > 0);
  const names = lost.map(({ labels: { document = 'a file' } }) => document);
  const failed = totalOf(page, 'saves_total', { result: 'failed' });
  return verdictFrom(
    [
      ...(names.length === 0
        ? []
        : [
            problem(
              `files of the scanner could not be read: ${names.join(', ')}`,
              'check its parameters and passwords, then save them again; the log of the scanner says more',
            ),
          ]),
      ...(failed === 0
        ? []
        : [
            problem(
              `parameters could not be saved (${counted(Number(failed), 'time')})`,
              'check the disk of the scanner',
            ),
          ]),
    ],
    'all of them',
  );
}

function contamination(observation: Observation): Verdict {
  if (observation.lacks(ContaminationResult))
    return { absent: 'this scanner does not watch its front screen' };
  const result = observation.value(ContaminationResult);
  if (result === undefined) return { unseen: observation.unknownReason(ContaminationResult) };
  const states = sectorStates(
    observation.value(ContaminationData) ?? [],
    observation.value(ContaminationConfig),
  );
  const sectors = states.flatMap((state, index) =>
    state === 'unwatched' || state === 'clean' ? [] : [index + 1],
  );
  const where =
    sectors.length === 0 ? '' : ` (sector ${sectors.join(', ')} of ${sectorCount}, counted from -138°)`;
  if (result.bErrorActive) {
    return problem(
      `the front screen is so dirty that distances may be missing${where}`,
      'clean it with a soft, damp cloth',
    );
  }
  if (result.bWarningActive) {
    return warning(`the front screen is dirty${where}`, 'clean it soon with a soft, damp cloth');
  }
  if (observation.value(ContaminationConfig)?.eStrategy === 0)
    return { absent: 'the scanner is set not to watch its front screen (ContaminationConfig)' };
  return { fine: 'clean' };
}

function temperature(observation: Observation): Verdict {
  const celsius = observation.value(CurrentTempDev);
  const alarm = observation.value(temperatureAlarmStatus);
  if (celsius === undefined && alarm === undefined)
    return { unseen: observation.unknownReason(CurrentTempDev) };
  const limit = observation.value(temperatureAlarmConfiguration)?.upperThreshold ?? usualLimit;
  const now = celsius === undefined ? 'it' : `it has ${celsius.toFixed(1)} °C inside, and`;
  if (alarm === true || (celsius !== undefined && celsius > limit)) {
    return warning(
      `the scanner is too hot: ${now} should have at most ${limit} °C`,
      'shade it, or let air at it',
    );
  }
  return { fine: celsius === undefined ? 'no alarm' : `${celsius.toFixed(1)} °C` };
}

function activeFields(observation: Observation): Verdict {
  if (observation.lacks(FieldEvaluationResult)) return { absent: 'this scanner has no fields' };
  const result = observation.value(FieldEvaluationResult);
  if (result === undefined) return { unseen: observation.unknownReason(FieldEvaluationResult) };
  const evaluated = result.EvaluationResultList.filter(
    ({ State }) => State !== FieldState.NOT_CONFIGURED && State !== FieldState.INACTIVE,
  ).length;
  const active = Math.max(evaluated, switchedOn(observation));
  return active > most && observation.isFrom(from)
    ? problem(
        `${active} fields are active, and more than ${most} stop the detection of objects`,
        `switch groups of fields off, until ${most} or fewer are active: docs/fields.md`,
      )
    : { fine: `${active} active` };
}

/**
 * Returns the number of evaluations with a contour in active groups; 0 if the scanner does not report it. If the
 * detection has stopped, the results do not show it: all are inactive.
 */
function switchedOn(observation: Observation): number {
  const definitions = observation.value(fields);
  const states = observation.value(FieldEvaluationGroupState);
  if (definitions === undefined || states === undefined) return 0;
  const active = new Set(
    definitions.groups
      .filter(({ Id }) => states[Id - 1] === EvaluationGroupState.ACTIVE)
      .flatMap(({ Evaluations }) => Evaluations),
  );
  return definitions.evaluations.filter(({ Id, Points }) => active.has(Id) && Points.length > 0).length;
}
