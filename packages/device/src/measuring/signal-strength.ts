import { EchoFlag, type Scan } from '../scan/scan.js';

/** A signal strength has 8 bits; in 16 bits, both bytes are equal. */
const perStep = 257;
/** The step that marks a reflector. Above it is one that is reserved. */
const reflectorStep = 254;

/**
 * Changes the signal strengths of a scan to those that telegrams can state: 257 × n. For an echo n is 1 to 253, the nearest
 * to its strength; for an echo of a reflector it is 254, if the release marks reflectors so. An echo whose strength is not known
 * keeps 0.
 */
export function roundStrengths({ rssi, flags }: Scan, marksReflectors: boolean): void {
  for (let place = 0; place < rssi.length; place++) {
    const strength = rssi[place] ?? 0;
    if (strength === 0) continue;
    const isReflector = marksReflectors && ((flags[place] ?? 0) & EchoFlag.reflector) !== 0;
    const step = ((strength + perStep / 2) / perStep) | 0;
    rssi[place] =
      perStep *
      (isReflector ? reflectorStep : step < 1 ? 1 : step < reflectorStep ? step : reflectorStep - 1);
  }
}

/** The 8 bits of a signal strength in 16 bits. */
export function strengthStep(rssi: number): number {
  return (rssi / perStep) | 0;
}
