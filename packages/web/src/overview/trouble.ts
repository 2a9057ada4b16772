import {
  basicSettings,
  contaminationIndication,
  DeviceStatus,
  extensions,
  operatingData,
  PlugState,
  sectorStates,
  status,
} from '@azimuth/model';
import { knownValue } from '../connection/known-value.js';
import { deviceState } from '../parts/device-state.js';
import { sectorsText, sectorsThatAre } from './front-screen.js';
import { type NextStep, type Rule, type Situation, toParameter } from './next-step.js';

const { mStartMeasure } = basicSettings.members;
const { ContaminationData, ContaminationResult, ContaminationConfig } = contaminationIndication.members;
const { temperatureAlarmConfiguration, temperatureAlarmStatus } = status.members;
const { CurrentTempDev } = operatingData.members;
const { plug } = extensions.members;

/** What keeps the scanner from working as it should. */
export const troubleRules: readonly Rule[] = [deviceFault, contamination, heat, notMeasuring, plugFault];

function deviceFault(situation: Situation): NextStep | undefined {
  const now = knownValue(situation, status.members.DeviceStatus);
  const { severity, word, advice } = deviceState(now);
  if (severity !== 'bad' && severity !== 'warn') return undefined;
  // Dirt and the plug have steps of their own, which say more.
  if (now === DeviceStatus.DS_ServiceRequired || now === DeviceStatus.DS_ServiceRecommended) {
    if (contamination(situation) !== undefined || plugFault(situation) !== undefined) return undefined;
  }
  return {
    id: 'device',
    severity,
    title: word,
    why: advice,
    remedy: { kind: 'page', page: 'log', rest: '', words: 'See what happened' },
  };
}

function contamination(situation: Situation): NextStep | undefined {
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

function heat(situation: Situation): NextStep | undefined {
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

function plugFault(situation: Situation): NextStep | undefined {
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

/** A text of the scanner as a sentence. */
export function sentence(text: string): string {
  const capital = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
