import {
  counted,
  cybersecurity,
  dateAndSystemTime,
  device,
  extensions,
  measurementDataOutput,
  ScanDataFormat,
  TimeRole,
} from '@azimuth/model';
import { knownValue } from '../connection/known-value.js';
import { destinationOf } from '../data-route/data-destination.js';
import { routeState } from '../data-route/route-state.js';
import { type NextStep, type Rule, type Situation, toParameter } from './next-step.js';
import { sentence } from './trouble.js';

const { ScanDataEnable, ScanDataEthSettings, ScanDataFormat: format } = measurementDataOutput.members;
const { TSCRole } = dateAndSystemTime.members;
const { httpsStatus } = cybersecurity.members;
const { LocationName } = device.members;
const { time } = extensions.members;

/** What a scanner needs before it does its work, and what makes it safe. */
export const setUpRules: readonly Rule[] = [
  noDestination,
  notArriving,
  unsaved,
  factoryPassword,
  clockLost,
  httpsClosed,
  clockAlone,
  noName,
];

function noDestination(situation: Situation): NextStep | undefined {
  if (knownValue(situation, ScanDataEnable) !== false) return undefined;
  // LMDscandata is sent to sessions that ask for it, whatever the switch of the stream.
  if (knownValue(situation, format) === ScanDataFormat.LMDscandata) return undefined;
  return {
    id: 'destination',
    severity: 'warn',
    title: 'Say where the scan data goes',
    why: `The scan data stream is off. No program gets scans from it. Set ${ScanDataEthSettings.name}, then switch ${ScanDataEnable.name} on.`,
    remedy: toParameter(ScanDataEthSettings.name, 'Choose the destination'),
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
    remedy: toParameter(ScanDataEthSettings.name, 'Choose the destination'),
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

function clockLost(situation: Situation): NextStep | undefined {
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

function httpsClosed(situation: Situation): NextStep | undefined {
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

function clockAlone(situation: Situation): NextStep | undefined {
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
