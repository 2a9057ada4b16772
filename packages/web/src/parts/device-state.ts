import { DeviceStatus } from '@azimuth/model';
import type { Severity } from './severity.js';

/** DeviceStatus in words for a person. */
const states: Readonly<Record<number, readonly [Severity, string, string]>> = {
  [DeviceStatus.DS_UnknownState]: ['idle', 'State unknown', 'The scanner does not know its state.'],
  [DeviceStatus.DS_Startup]: ['idle', 'Starting', 'Wait until the scanner has started.'],
  [DeviceStatus.DS_ServiceMode]: [
    'warn',
    'Service mode',
    'The scanner is being serviced and does not measure.',
  ],
  [DeviceStatus.DS_NormalOperation]: ['good', 'Measuring', 'Everything works.'],
  [DeviceStatus.DS_SuspendedOperation]: ['idle', 'Not measuring', 'Measuring is switched off: start it.'],
  [DeviceStatus.DS_ServiceRecommended]: [
    'warn',
    'Service recommended',
    'Clean the front screen, or plan service.',
  ],
  [DeviceStatus.DS_ServiceRequired]: [
    'bad',
    'Service required',
    'Clean the front screen, or have the scanner serviced.',
  ],
  [DeviceStatus.DS_RecoverableError]: [
    'bad',
    'Error',
    'The scanner may recover by itself. The diagnosis says more.',
  ],
  [DeviceStatus.DS_FatalError]: ['bad', 'Fatal error', 'The scanner has to be replaced or repaired.'],
};

export interface DeviceState {
  readonly severity: Severity;
  readonly word: string;
  /** What to do about it. */
  readonly advice: string;
}

/** @param status the value of DeviceStatus; anything else is shown as not known yet */
export function deviceState(status: unknown): DeviceState {
  const [severity, word, advice] = (typeof status === 'number' ? states[status] : undefined) ?? [
    'idle',
    'Not known yet',
    '',
  ];
  return { severity, word, advice };
}
