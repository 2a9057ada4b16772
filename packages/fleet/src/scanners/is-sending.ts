import { parametersIn, sendsFromPowerOn } from '@azimuth/device';
import type { ScannerFacts } from './scanner-facts.js';
import type { ScannerStore } from './scanner-store.js';

/**
 * Does this document with stored parameters make its scanner send from its power-on on? Without one, a scanner has the parameters
 * of the factory, and sends nothing.
 */
export function isSending(parameters: Uint8Array | undefined): boolean {
  return parameters !== undefined && sendsFromPowerOn(parametersIn(parameters));
}

/** Does a scanner send from its power-on on? If it has never stored parameters, those that it is delivered with decide. */
export function sendsAtPowerOn(
  { serial, parameters }: Pick<ScannerFacts, 'serial' | 'parameters'>,
  store?: Pick<ScannerStore, 'sendsFromPowerOn'>,
): boolean {
  return store?.sendsFromPowerOn(serial) ?? sendsFromPowerOn(parameters);
}
