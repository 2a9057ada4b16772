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
import { type Check, problem, type Verdict, verdictOf, warning } from '../check.js';
import { samplesOf, sumOf } from '../metrics-page.js';
import type { Observation } from '../observation.js';

const { DeviceStatus: deviceStatus, temperatureAlarmConfiguration, temperatureAlarmStatus } = status.members;
const { CurrentTempDev } = operatingData.members;
const { ContaminationData, ContaminationResult, ContaminationConfig } = contaminationIndication.members;

const { FieldEvaluationResult, FieldEvaluationGroupState } = fieldEvaluation.members;
const { fields } = extensions.members;

const { count: most, from } = mostActiveEvaluations;

/** Above this, in °C, the alarm of the factory is raised; for releases without an alarm. */
const { upperThreshold: usualLimit } = temperatureAlarmConfiguration.type.initial;

export const conditionChecks: readonly Check[] = [
  { name: 'status', about: 'the state of the scanner', reads: [deviceStatus], look: state },
  { name: 'documents', about: 'whether its files could be read', reads: [], look: documents },
  {
    name: 'contamination',
    about: 'whether the front screen is dirty',
    reads: [ContaminationResult, ContaminationData, ContaminationConfig],
    look: contamination,
  },
  {
    name: 'temperature',
    about: 'whether it is too hot',
    reads: [CurrentTempDev, temperatureAlarmStatus, temperatureAlarmConfiguration],
    look: temperature,
  },
  {
    name: 'fields',
    about: `whether more than ${most} fields are active`,
    reads: [FieldEvaluationResult, FieldEvaluationGroupState, fields],
    look: activeFields,
  },
];

function state(seen: Observation): Verdict {
  const now = seen.value(deviceStatus);
  switch (now) {
    case undefined:
      return { unseen: seen.whyUnknown(deviceStatus) };
    case DeviceStatus.DS_NormalOperation:
      return { fine: 'it measures' };
    case DeviceStatus.DS_Startup:
      return problem('the scanner is starting', 'wait until it has started');
    case DeviceStatus.DS_ServiceMode:
      return problem('the scanner is being serviced: firmware is being written', 'wait until it has ended');
    case DeviceStatus.DS_SuspendedOperation:
      return problem(
        'the scanner does not measure: measuring is switched off',
        seen.command('call mStartMeasure'),
        {
          question: 'Start measuring?',
          acts: [{ call: 'mStartMeasure' }],
        },
      );
    // The check of the contamination says more about these two.
    case DeviceStatus.DS_ServiceRecommended:
      return warning('the scanner asks for service', 'clean the front screen, and look at the system plug');
    case DeviceStatus.DS_ServiceRequired:
      return problem('the scanner needs service: distances may be missing', 'clean the front screen');
    case DeviceStatus.DS_RecoverableError:
      return problem('the scanner has a fault that may end by itself', seen.command('diagnose fault.zip'));
    case DeviceStatus.DS_FatalError:
      return problem('the scanner has a fault for good', 'have it repaired or replaced');
    default:
      return warning('the scanner does not know its state', seen.command('diagnose fault.zip'));
  }
}

function documents({ facts: { metrics } }: Observation): Verdict {
  if (metrics === undefined) return { unseen: 'this scanner has no page of metrics' };
  const [, page] = metrics;
  const lost = samplesOf(page, 'azimuth_lost_documents').filter(({ value }) => value > 0);
  const names = lost.map(({ labels: { document = 'a file' } }) => document);
  const failed = sumOf(page, 'azimuth_saves_total', { result: 'failed' });
  return verdictOf(
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

function contamination(seen: Observation): Verdict {
  if (seen.lacks(ContaminationResult)) return { absent: 'this scanner does not watch its front screen' };
  const result = seen.value(ContaminationResult);
  if (result === undefined) return { unseen: seen.whyUnknown(ContaminationResult) };
  const states = sectorStates(seen.value(ContaminationData) ?? [], seen.value(ContaminationConfig));
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
  if (seen.value(ContaminationConfig)?.eStrategy === 0)
    return { absent: 'the scanner is set not to watch its front screen (ContaminationConfig)' };
  return { fine: 'clean' };
}

function temperature(seen: Observation): Verdict {
  const celsius = seen.value(CurrentTempDev);
  const alarm = seen.value(temperatureAlarmStatus);
  if (celsius === undefined && alarm === undefined) return { unseen: seen.whyUnknown(CurrentTempDev) };
  const limit = seen.value(temperatureAlarmConfiguration)?.upperThreshold ?? usualLimit;
  const now = celsius === undefined ? 'it' : `it has ${celsius.toFixed(1)} °C inside, and`;
  if (alarm === true || (celsius !== undefined && celsius > limit)) {
    return warning(
      `the scanner is too hot: ${now} should have at most ${limit} °C`,
      'shade it, or let air at it',
    );
  }
  return { fine: celsius === undefined ? 'no alarm' : `${celsius.toFixed(1)} °C` };
}

function activeFields(seen: Observation): Verdict {
  if (seen.lacks(FieldEvaluationResult)) return { absent: 'this scanner has no fields' };
  const result = seen.value(FieldEvaluationResult);
  if (result === undefined) return { unseen: seen.whyUnknown(FieldEvaluationResult) };
  const evaluated = result.EvaluationResultList.filter(
    ({ State }) => State !== FieldState.NOT_CONFIGURED && State !== FieldState.INACTIVE,
  ).length;
  const active = Math.max(evaluated, switchedOn(seen));
  return active > most && seen.isFrom(from)
    ? problem(
        `${active} fields are active, and more than ${most} stop the detection of objects`,
        `switch groups of fields off, until ${most} or fewer are active: docs/fields.md`,
      )
    : { fine: `${active} active` };
}

/**
 * How many evaluations with a contour are in active groups; 0 if the scanner does not tell. Of a scanner whose detection has
 * stopped, the results do not say so: all are inactive.
 */
function switchedOn(seen: Observation): number {
  const definitions = seen.value(fields);
  const states = seen.value(FieldEvaluationGroupState);
  if (definitions === undefined || states === undefined) return 0;
  const active = new Set(
    definitions.groups
      .filter(({ Id }) => states[Id - 1] === EvaluationGroupState.ACTIVE)
      .flatMap(({ Evaluations }) => Evaluations),
  );
  return definitions.evaluations.filter(({ Id, Points }) => active.has(Id) && Points.length > 0).length;
}
