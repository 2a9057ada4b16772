import { parametersIn, type Storage, sendsFromPowerOn } from '@azimuth/device';
import { isFrom, newestRelease, type Release } from '@azimuth/model';
import type { ScannerFacts } from './scanner-facts.js';

/** Why a scanner cannot be switched on, or saved, here. */
export const runElsewhere = 'another process runs this scanner now; try again in a moment';

/** Where the scanners of a fleet store what is theirs. */
export interface ScannerStore {
  /**
   * Counts that power was switched on at these scanners. What is counted is on disk when the promise resolves: one write for
   * all of them.
   * @returns those that were counted: others do not belong to this process any more
   * @throws StorageAway, and errors of the system. Then none is counted
   */
  powerOn(serials: readonly string[]): Promise<ReadonlySet<string>>;
  /** Power-ons of a scanner that its operating counters do not contain. */
  powerOns(serial: string): number;
  /**
   * Do the stored parameters of a scanner switch a data stream on, so that it sends from its power-on on? Known without a look
   * at them. Undefined if it has never stored any.
   */
  sendsFromPowerOn(serial: string): boolean | undefined;
  /** Has a scanner stored certificates, so that it may serve HTTPS from its power-on on? Known without a look at them. */
  hasCertificates(serial: string): boolean;
  /** The release that a scanner has stored as its own. Known without a look at it. Undefined if it was never started. */
  release(serial: string): Release | undefined;
  /** What one scanner stores. Its owner closes it. */
  storageOf(serial: string): Storage;
  close(): Promise<void>;
}

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

/**
 * The release that a scanner runs from its power-on on: the one that it has stored, or the one that it is delivered with if that
 * is newer, or if it was never started.
 */
export function releaseAtPowerOn(
  { serial, release }: Pick<ScannerFacts, 'serial' | 'release'>,
  store: Pick<ScannerStore, 'release'>,
): Release {
  const stored = store.release(serial);
  if (stored === undefined) return release ?? newestRelease;
  return release !== undefined && isFrom(release, stored) ? release : stored;
}
