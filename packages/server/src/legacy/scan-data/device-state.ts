import type { Device } from '@azimuth/device';
import { IOState, SCdevicestate } from '@azimuth/model';
import type { LmdBits, LmdEncoder, LmdTime } from '@azimuth/telegrams/legacy';

/** What a telegram says of the scanner, from the low byte on. */
const status = {
  well: [0, 0],
  error: [1, 0],
  contaminationWarning: [2, 0],
  contaminationError: [5, 0],
} as const;

/** A contamination error is told before any other one: its code says error, too. */
export function statusOf({
  contamination,
  conditions,
}: Pick<Device, 'contamination' | 'conditions'>): LmdBits {
  const { bErrorActive, bWarningActive } = contamination.result;
  if (bErrorActive) return status.contaminationError;
  if (conditions.shortState === SCdevicestate.Error) return status.error;
  return bWarningActive ? status.contaminationWarning : status.well;
}

/** The inputs with a high level: ports 1 to 8 as bits 0 to 7 of the first byte. */
export function inputsOf({ ports }: Pick<Device, 'ports'>): LmdBits {
  return bitsOf(ports.inputState.aDigitalIn);
}

/** The outputs with a high level likewise; there are no external ones, which are the second byte. */
export function outputsOf({ ports }: Pick<Device, 'ports'>): LmdBits {
  return bitsOf(ports.outputState.aDigitalOut);
}

/** The speed in mm/s, as far as 16 bits reach: two's complement, backwards is negative. */
export function encoderOf({ encoder }: Pick<Device, 'encoder'>): LmdEncoder {
  const { ticks, speed } = encoder.reading;
  return { ticks, speed: Math.min(Math.max(Math.round(speed), -0x8000), 0x7fff) & 0xffff };
}

/** Date and time of day on the device clock, as LSPdatetime tells them. */
export function timeOf({ time }: Pick<Device, 'time'>): LmdTime {
  const now = time.now();
  return {
    year: now.uiYear,
    month: now.usiMonth,
    day: now.usiDay,
    hour: now.usiHour,
    minute: now.usiMinute,
    second: now.usiSec,
    microsecond: now.udiUSec,
  };
}

type States = readonly { readonly IOState: { readonly eIOState: number } }[];

function bitsOf(states: States): LmdBits {
  let bits = 0;
  for (let port = 0; port < states.length; port++) {
    if (states[port]?.IOState.eIOState === IOState.IOS_HIGH) bits |= 1 << port;
  }
  return [bits, 0];
}
