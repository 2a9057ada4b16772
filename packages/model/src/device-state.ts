import { DeviceStatus } from './groups/status.js';

/** A state in words for a person. */
export interface DeviceState {
  /** How urgently the scanner needs somebody. `idle`: not known, starting, or switched off on purpose. */
  readonly severity: 'good' | 'warn' | 'bad' | 'idle';
  readonly word: string;
  /** Advice for the person; empty if there is none. */
  readonly advice: string;
}

type Words = readonly [DeviceState['severity'], string, string];

const states: Readonly<Record<number, Words>> = {
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

/** @param status the value of DeviceStatus; anything else is a state that is not known yet */
export function deviceState(status: unknown): DeviceState {
  const known = typeof status === 'number' ? states[status] : undefined;
  const [severity, word, advice] = known ?? ['idle', 'Not known yet', ''];
  return { severity, word, advice };
}
