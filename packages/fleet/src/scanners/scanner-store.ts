import type { Storage } from '@azimuth/device';
import { parametersIn, parametersJustWritten, sendsFromPowerOn } from '@azimuth/device/documents';
import { isFrom, newestRelease, type Release } from '@azimuth/model';
import type { ScannerFacts } from './scanner-facts.js';

/** The reason why a scanner cannot be switched on, or saved, in this process. */
export const runsElsewhere = 'another process runs this scanner now; try again in a moment';

/** Storage of the scanners of a fleet. */
export interface ScannerStore {
  /**
   * Counts a power-on of these scanners, in one write for all. It is on disk when the promise resolves.
   * @returns the counted scanners: the others do not belong to this process any more
   * @throws StorageUnavailable, and errors of the system. Then none is counted
   */
  powerOn(serials: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns the power-ons of a scanner that its operating counters do not contain. */
  powerOns(serial: string): number;
  /**
   * True if the stored parameters of a scanner switch a data stream on, so that it sends from its power-on on. Known without
   * reading them. Undefined if it has never stored any.
   */
  sendsFromPowerOn(serial: string): boolean | undefined;
  /** True if a scanner has stored certificates, so that it may serve HTTPS from its power-on on. Known without reading them. */
  hasCertificates(serial: string): boolean;
  /** Returns the release that a scanner has stored. Known without reading it. Undefined if it was never started. */
  release(serial: string): Release | undefined;
  /** Returns the storage of one scanner. The caller closes it. */
  storageOf(serial: string): Storage;
  close(): Promise<void>;
}

/**
 * True if a scanner with this document of stored parameters sends from its power-on on. Without a document, it has the
 * factory parameters, and sends nothing.
 */
export function isSending(parameters: Uint8Array | undefined): boolean {
  return parameters !== undefined && sendsFromPowerOn(parametersIn(parameters));
}

/** The same of a document that this process writes: each save asks it. */
export function isSendingAsWritten(written: Uint8Array | undefined): boolean {
  return written !== undefined && sendsFromPowerOn(parametersJustWritten(written));
}

/** True if a scanner sends from its power-on on. If it has never stored parameters, its delivered ones decide. */
export function sendsAtPowerOn(
  { serial, parameters }: Pick<ScannerFacts, 'serial' | 'parameters'>,
  store?: Pick<ScannerStore, 'sendsFromPowerOn'>,
): boolean {
  return store?.sendsFromPowerOn(serial) ?? sendsFromPowerOn(parameters);
}

/**
 * Returns the release that a scanner runs from its power-on on: the stored one. If the scanner was never started, or the
 * delivered release is newer, it is the delivered one.
 */
export function releaseAtPowerOn(
  { serial, release }: Pick<ScannerFacts, 'serial' | 'release'>,
  store: Pick<ScannerStore, 'release'>,
): Release {
  const stored = store.release(serial);
  if (stored === undefined) return release ?? newestRelease;
  return release !== undefined && isFrom(release, stored) ? release : stored;
}
