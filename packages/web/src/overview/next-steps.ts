import {
  basicSettings,
  contaminationIndication,
  counted,
  cybersecurity,
  DeviceStatus,
  dateAndSystemTime,
  device,
  extensions,
  type LoginLevel,
  type Method,
  measurementDataOutput,
  operatingData,
  PlugState,
  ScanDataFormat,
  sectorStates,
  status,
  TimeRole,
} from '@azimuth/model';
import { type KnownValues, knownValue } from '../connection/declarations.js';
import { destinationOf, routeState } from '../data-route/data-destination.js';
import type { Sending } from '../data-route/sending.js';
import { deviceState, type Severity, severityRanks } from '../parts/states.js';
import { sentence } from '../parts/texts.js';
import { sectorsText, sectorsThatAre } from './words.js';

/** State of a scanner from which the next steps follow. */
export interface Situation extends KnownValues {
  /** True if the scanner does not answer. The rest is then what it sent last. */
  readonly isUnreachable: boolean;
  /** Parameters that a reboot would change; undefined if that is not known. */
  readonly unsaved: readonly string[] | undefined;
  /** Counts of the scan data that the scanner sends. */
  readonly sending: Sending;
  /** The level that is logged in with the public password of the factory; undefined if there is none. */
  readonly factoryPasswordOf: LoginLevel | undefined;
}

/** The way to mend something: a page, or something that is done at once. */
export type Remedy =
  | { readonly kind: 'page'; readonly page: string; readonly rest: string; readonly words: string }
  | {
      readonly kind: 'call';
      readonly method: Pick<Method<unknown, unknown>, 'name' | 'facts'>;
      readonly words: string;
    }
  | { readonly kind: 'save'; readonly words: string };

/** Something to do, with the reason and the way to do it. */
export interface NextStep {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly remedy?: Remedy | undefined;
}

/** One reason to do something; undefined while it does not apply. */
type Rule = (situation: Situation) => NextStep | undefined;

/** The page of one parameter. */
function toParameter(name: string, words: string): Remedy {
  return { kind: 'page', page: 'parameters', rest: name, words };
}

const unreachable: NextStep = {
  id: 'gone',
  severity: 'bad',
  title: 'The scanner does not answer',
  why: 'Check its power and its cable. This page shows what it said last, and goes on by itself when it answers.',
};

/** Returns the next steps, the most urgent first: problems, then what is not finished, then what would be better. */
export function nextSteps(situation: Situation): readonly NextStep[] {
  // A scanner that does not answer must come back first: nothing else can be done until then.
  if (situation.isUnreachable) return [unreachable];
  return [...troubleRules, ...setUpRules]
    .flatMap((rule) => rule(situation) ?? [])
    .toSorted((one, other) => severityRanks[one.severity] - severityRanks[other.severity]);
}

const { mStartMeasure } = basicSettings.members;
const { ContaminationData, ContaminationResult, ContaminationConfig } = contaminationIndication.members;
const { temperatureAlarmConfiguration, temperatureAlarmStatus } = status.members;
const { CurrentTempDev } = operatingData.members;
const { conditions, network, plug } = extensions.members;

/** Reasons why the scanner does not work as it should. */
const troubleRules: readonly Rule[] = [
  deviceProblem,
  contamination,
  heat,
  notMeasuring,
  plugProblem,
  networkProblem,
];

function deviceProblem(situation: Situation): NextStep | undefined {
  const now = knownValue(situation, status.members.DeviceStatus);
  const { severity, word, advice } = deviceState(now);
  if (severity !== 'bad' && severity !== 'warn') return undefined;
  // Dirt and the plug have steps of their own, which say more.
  if (now === DeviceStatus.DS_ServiceRequired || now === DeviceStatus.DS_ServiceRecommended) {
    if (contamination(situation) !== undefined || plugProblem(situation) !== undefined) return undefined;
  }
  return {
    id: 'device',
    severity,
    title: word,
    why: [...reasonsOf(situation, now).map(sentence), advice].join(' '),
    remedy: { kind: 'page', page: 'log', rest: '', words: 'See what happened' },
  };
}

/** Returns the reasons that a scanner reports for a value of DeviceStatus; none for a scanner that does not report them. */
export function reasonsOf(known: KnownValues, now: number | undefined): readonly string[] {
  return (knownValue(known, conditions) ?? [])
    .filter(({ Status }) => Status === now)
    .map(({ Reason }) => Reason);
}

function networkProblem(situation: KnownValues): NextStep | undefined {
  const state = knownValue(situation, network);
  if (state === undefined || state.Fault === '') return undefined;
  return {
    id: 'network',
    severity: 'warn',
    title: 'The network settings are not in force',
    why: sentence(state.Fault),
    remedy: { kind: 'page', page: 'network', rest: '', words: 'Correct and apply them' },
  };
}

function contamination(situation: KnownValues): NextStep | undefined {
  const result = knownValue(situation, ContaminationResult);
  if (result === undefined || !(result.bWarningActive || result.bErrorActive)) return undefined;
  const config = knownValue(situation, ContaminationConfig);
  const states = sectorStates(knownValue(situation, ContaminationData) ?? [], config);
  const sectors = sectorsThatAre(
    states,
    'blocked',
    'error',
    ...(result.bErrorActive ? [] : (['warning'] as const)),
  );
  const where = sectors.length === 0 ? 'The front screen' : sectorsText(sectors);
  const are = sectors.length > 1 ? 'are' : 'is';
  return {
    id: 'contamination',
    severity: result.bErrorActive ? 'bad' : 'warn',
    title: result.bErrorActive ? 'Clean the front screen now' : 'Clean the front screen soon',
    why: `${where} ${are} ${result.bErrorActive ? 'so dirty that distances may be missing' : 'dirty'}.`,
    remedy: toParameter(ContaminationConfig.name, 'How dirt is detected'),
  };
}

function heat(situation: KnownValues): NextStep | undefined {
  if (knownValue(situation, temperatureAlarmStatus) !== true) return undefined;
  const celsius = knownValue(situation, CurrentTempDev);
  const limits = knownValue(situation, temperatureAlarmConfiguration);
  const now = celsius === undefined ? '' : ` It has ${celsius.toFixed(1)} °C now.`;
  const end =
    limits === undefined
      ? ''
      : ` The alarm began above ${limits.upperThreshold} °C and ends below ${limits.lowerThreshold} °C.`;
  return {
    id: 'heat',
    severity: 'bad',
    title: 'The scanner is too hot',
    why: `Shade it, or let air at it.${now}${end}`,
    remedy: toParameter(temperatureAlarmConfiguration.name, 'Limits of the alarm'),
  };
}

function notMeasuring(situation: Situation): NextStep | undefined {
  if (knownValue(situation, status.members.DeviceStatus) !== DeviceStatus.DS_SuspendedOperation)
    return undefined;
  return {
    id: 'measuring',
    severity: 'warn',
    title: 'The scanner does not measure',
    why: 'Measuring is switched off: there are no scans, and no field is watched.',
    remedy: { kind: 'call', method: mStartMeasure, words: 'Start measuring' },
  };
}

function plugProblem(situation: KnownValues): NextStep | undefined {
  const state = knownValue(situation, plug);
  if (state === undefined || state.Fault === '') return undefined;
  if (state.State !== PlugState.REFUSED && state.State !== PlugState.FAILED) return undefined;
  return {
    id: 'plug',
    severity: 'warn',
    title: 'The system plug does not work',
    why: sentence(state.Fault),
    remedy: { kind: 'page', page: 'parameters', rest: 'Backup/Restore', words: 'About the plug' },
  };
}

const { ScanDataEnable, ScanDataFormat: format } = measurementDataOutput.members;
const toDataOutput: Remedy = { kind: 'page', page: 'data-output', rest: '', words: 'Choose the destination' };
const { TSCRole } = dateAndSystemTime.members;
const { httpsStatus } = cybersecurity.members;
const { LocationName } = device.members;
const { time } = extensions.members;

/** Problems that a scanner reports in variables of their own, each with the variable. */
export const reportedProblems: readonly (readonly [string, (known: KnownValues) => NextStep | undefined])[] =
  [
    [ContaminationResult.name, contamination],
    [temperatureAlarmStatus.name, heat],
    [plug.name, plugProblem],
    [network.name, networkProblem],
    [time.name, clockLost],
    [httpsStatus.name, httpsClosed],
  ];

/** Steps that a scanner needs before it does its work, and steps that make it safe. */
const setUpRules: readonly Rule[] = [
  noDestination,
  notArriving,
  unsaved,
  factoryPassword,
  clockLost,
  httpsClosed,
  unsynchronisedClock,
  noName,
];

function noDestination(situation: Situation): NextStep | undefined {
  if (knownValue(situation, ScanDataEnable) !== false) return undefined;
  // LMDscandata is sent to sessions that have requested it, even if the stream is off.
  if (knownValue(situation, format) === ScanDataFormat.LMDscandata) return undefined;
  return {
    id: 'destination',
    severity: 'warn',
    title: 'Say where the scan data goes',
    why: 'The scan data stream is off. No program gets scans from it. Choose a destination, and switch the stream on.',
    remedy: toDataOutput,
  };
}

function notArriving(situation: Situation): NextStep | undefined {
  const destination = destinationOf(situation);
  if (destination?.isOn !== true) return undefined;
  const [severity, , why] = routeState(destination, situation.sending);
  if (severity !== 'warn' && severity !== 'bad') return undefined;
  return {
    id: 'destination',
    severity,
    title: 'The scan data does not arrive',
    why,
    remedy: toDataOutput,
  };
}

function unsaved({ unsaved: names = [] }: Situation): NextStep | undefined {
  if (names.length === 0) return undefined;
  const some = names.slice(0, 3).join(', ');
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return {
    id: 'unsaved',
    severity: 'warn',
    title: `Save ${counted(names.length, 'change')}`,
    why: `A reboot or a power cut discards what is not saved: ${some}${more}.`,
    remedy: { kind: 'save', words: 'Save' },
  };
}

function factoryPassword({ factoryPasswordOf: level }: Situation): NextStep | undefined {
  if (level === undefined) return undefined;
  return {
    id: 'password',
    severity: 'warn',
    title: `Give ${level} a password of your own`,
    why: 'You are logged in with the password of the factory. It is public: everybody who reaches the scanner can change it.',
    remedy: { kind: 'page', page: 'users', rest: '', words: 'Change the password' },
  };
}

function clockLost(situation: KnownValues): NextStep | undefined {
  const state = knownValue(situation, time);
  if (state === undefined || state.Role === TimeRole.TX_NONE || state.Synchronised) return undefined;
  const source = state.Role === TimeRole.TX_CLIENT ? 'time server' : 'PTP master';
  return {
    id: 'clock',
    severity: 'warn',
    title: `The clock does not follow its ${source}`,
    why: state.Fault === '' ? `No time has come from the ${source} yet.` : sentence(state.Fault),
    remedy: toParameter(TSCRole.name, 'Set up the clock'),
  };
}

function httpsClosed(situation: KnownValues): NextStep | undefined {
  const state = knownValue(situation, httpsStatus);
  if (state === undefined || state.enabled || state.errorCode.error === 'None') return undefined;
  return {
    id: 'https',
    severity: 'warn',
    title: 'HTTPS is closed',
    why: sentence(state.errorCode.error),
    remedy: { kind: 'page', page: 'certificates', rest: '', words: 'See the certificates' },
  };
}

function unsynchronisedClock(situation: Situation): NextStep | undefined {
  if (knownValue(situation, TSCRole) !== TimeRole.TX_NONE) return undefined;
  return {
    id: 'clock',
    severity: 'idle',
    title: 'Let the clock follow a time server',
    why: 'The clock has no battery, and nothing corrects it. Times of scans and detections may be wrong.',
    remedy: toParameter(TSCRole.name, 'Set up the clock'),
  };
}

function noName(situation: Situation): NextStep | undefined {
  const name = knownValue(situation, LocationName);
  if (name === undefined || (name.trim() !== '' && name !== LocationName.type.initial)) return undefined;
  return {
    id: 'name',
    severity: 'idle',
    title: 'Give the scanner a name',
    why: 'Say where it is mounted. So you find it among others.',
    remedy: toParameter(LocationName.name, 'Name it'),
  };
}
