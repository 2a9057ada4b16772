import { parametersIn, sendsFromPowerOn } from '@azimuth/device';

/**
 * Does this document with stored parameters make its scanner send from its power-on on? Without one, a scanner has the parameters
 * of the factory, and sends nothing.
 */
export function isSending(parameters: Uint8Array | undefined): boolean {
  return parameters !== undefined && sendsFromPowerOn(parametersIn(parameters));
}
