import type { Json } from '../match/matcher.js';
import { call, get, type RequestStep, rebooted, type Step, write } from '../steps/index.js';

/** Stores the working values. */
export const save: RequestStep = call('WriteEeprom', undefined, { status: 0 });

export const softReset: RequestStep = call('SoftReset', { ProcessorNbr: 0 }, { status: 0 });

/** Reboots with the stored values. */
export const afterSoftReset: readonly Step[] = rebooted(softReset);

/** Stores the working values, and reboots. */
export const afterReboot: readonly Step[] = rebooted(call('RebootDevice', undefined, { status: 0 }));

/** Expects a value of a variable. */
export function reads(name: string, value: Json): RequestStep {
  return get(name, { status: 0, data: { has: { [name]: { is: value } } } });
}

/** Saves the value of a variable under its own name. */
export function remember(name: string): RequestStep {
  return get(name, { status: 0 }, { save: { [name]: `data.${name}` } });
}

/** Expects the value that `remember` has saved. */
export function stillReads(name: string): RequestStep {
  return get(name, { status: 0, data: { has: { [name]: { isSaved: name } } } });
}

/** 04:05:30 on 3 February 2031. */
const setTime = {
  uiYear: 2031,
  usiMonth: 2,
  usiDay: 3,
  usiHour: 4,
  usiMinute: 5,
  usiSec: 30,
  udiUSec: 0,
} as const;

/**
 * Saves at 04:40 on 3 February 2031 by the device clock, then sets the clock back to 04:05. The next save has another time.
 * Remembers what the clock showed before.
 */
export const saveWithOtherTime: readonly Step[] = [
  write('TSCRole', 0),
  get('LSPdatetime', { status: 0 }, { save: { clock: 'data.LSPdatetime' } }),
  clockAt(40),
  save,
  clockAt(5),
];

/** Sets the device clock to 4 o'clock and this many minutes, on 3 February 2031. */
export function clockAt(usiMinute: number): RequestStep {
  return call('LSPsetdatetime', { DateTime: { ...setTime, usiMinute } }, { status: 0 });
}

/** Sets the device clock to what it showed before. */
export const clockPutBack: RequestStep = call(
  'LSPsetdatetime',
  { DateTime: { saved: 'clock' } },
  { status: 0 },
);
