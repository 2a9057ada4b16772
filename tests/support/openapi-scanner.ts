import { type Edition, newestRelease } from '@azimuth/model';
import { scannerOf as editionScannerOf } from './edition-scanner.js';

export { editions } from './edition-scanner.js';

export const newest: Edition = { release: newestRelease, variant: 'full' };

/** Starts a scanner of this edition in this process, for all tests of a block. Returns its address. */
export function scannerOf(edition: Edition): () => string {
  const scanner = editionScannerOf(edition);
  return () => scanner().address;
}

/** Returns the JSON of a GET of this address. */
export async function fetchJson(address: string): Promise<unknown> {
  const json: unknown = await (await fetch(address)).json();
  return json;
}
