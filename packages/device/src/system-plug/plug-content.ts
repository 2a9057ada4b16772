import { hash } from 'node:crypto';
import { Refusal, type Release } from '@azimuth/model';
import { decodeBackup, isContainer, RestoreRefused } from '../backup-restore/backup-file.js';
import { assertSuitable, plannedRestore } from '../backup-restore/restore-plan.js';
import { isSerialNumber } from '../identity/identity.js';
import type { ValueSet } from '../parameters/parameters.js';

/** The parameters of another scanner, which this one can take. */
export interface ForeignParameters {
  readonly kind: 'foreign';
  /** SHA-256 of the file, in hex. */
  readonly digest: string;
  readonly serialNumber: string;
  readonly values: ValueSet;
}

/** What is on a plug. A serial number that the file lacks is empty. */
export type PlugContent =
  | { readonly kind: 'empty' }
  /** Of this scanner, or taken by it: it has this or newer parameters. */
  | { readonly kind: 'own'; readonly file: Uint8Array; readonly serialNumber: string }
  | ForeignParameters
  /** A backup that this scanner cannot take. */
  | { readonly kind: 'refused'; readonly serialNumber: string; readonly reason: string }
  /** No backup, or not whole any more. */
  | { readonly kind: 'damaged'; readonly reason: string };

/** What the content of a plug is for one scanner. */
export interface PlugReader {
  /** Its serial number; undefined if it takes the parameters of any scanner, also those of its own number. */
  readonly own: string | undefined;
  /** The digest of the file that it has taken. */
  readonly taken: string | undefined;
  readonly deviceIdentification: string;
  readonly release: Release;
  /** Checks whether the values fit together. @throws Refusal */
  readonly assertAllowed: (values: ValueSet) => void;
}

/** Decides what the file of a plug is for a scanner. */
export function plugContentOf(file: Uint8Array | undefined, reader: PlugReader): PlugContent {
  if (file === undefined) return { kind: 'empty' };
  const digest = hash('sha256', file);
  if (isContainer(file)) {
    return {
      kind: 'refused',
      serialNumber: '',
      reason: 'it is an encrypted backup, and nobody gives a passphrase',
    };
  }
  let serialNumber = '';
  try {
    const backup = decodeBackup(file);
    serialNumber = serialNumberOf(backup.serialNumber);
    // Also for its own file: to write over that of a newer release would lose what only that release has.
    assertSuitable(backup, reader);
    const isOwn = reader.own !== undefined && serialNumber === reader.own;
    if (isOwn || digest === reader.taken) return { kind: 'own', file, serialNumber };
    const values = plannedRestore(backup, { ...reader, selects: () => true });
    reader.assertAllowed(values);
    return { kind: 'foreign', digest, serialNumber, values };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', serialNumber, reason: error.message };
    if (!(error instanceof RestoreRefused)) throw error;
    const { result, message: reason } = error;
    if (result === 'ParseError' || result === 'ChecksumError') return { kind: 'damaged', reason };
    return { kind: 'refused', serialNumber, reason };
  }
}

/** The file may contain any text. */
function serialNumberOf(text = ''): string {
  return isSerialNumber(text) ? text : '';
}
