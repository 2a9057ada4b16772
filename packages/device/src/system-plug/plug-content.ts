import { hash } from 'node:crypto';
import { Refusal } from '@azimuth/model';
import { decodeBackup, isContainer, RestoreRefused } from '../backup-restore/backup-file.js';
import { assertSuitable, type BackupTarget, plannedRestore } from '../backup-restore/restore-plan.js';
import { isSerialNumber } from '../identity/identity.js';
import type { ValueSet } from '../parameters/parameters.js';

/** Parameters of another scanner that fit this one. */
export interface ForeignParameters {
  readonly kind: 'foreign';
  /** SHA-256 of the file, in hex. */
  readonly digest: string;
  readonly serialNumber: string;
  readonly values: ValueSet;
}

/** The content of a plug. A serial number that is missing in the file is empty. */
export type PlugContent =
  | { readonly kind: 'empty' }
  /** A file of this scanner, or one whose parameters it has adopted: the scanner has these parameters or newer ones. */
  | { readonly kind: 'own'; readonly file: Uint8Array; readonly serialNumber: string }
  | ForeignParameters
  /** A backup that does not fit this scanner. */
  | { readonly kind: 'refused'; readonly serialNumber: string; readonly reason: string }
  /** Not a backup, or a damaged one. */
  | { readonly kind: 'damaged'; readonly reason: string };

/** Facts about one scanner that decide what it reads in a plug. */
export interface PlugReader extends BackupTarget {
  /** Its serial number. Undefined if it adopts the parameters of any scanner, including those with its own number. */
  readonly ownSerialNumber: string | undefined;
  /** The digest of the file whose parameters it has adopted. */
  readonly adoptedDigest: string | undefined;
  /** Checks that the values fit together. @throws Refusal */
  readonly assertAllowed: (values: ValueSet) => void;
}

/** Decides what the file of a plug means for a scanner. */
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
    // The rule holds for its own file, too. Writing over a file of a newer release would lose the parameters that only
    // that release has.
    assertSuitable(backup, reader);
    const isOwn = reader.ownSerialNumber !== undefined && serialNumber === reader.ownSerialNumber;
    if (isOwn || digest === reader.adoptedDigest) return { kind: 'own', file, serialNumber };
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
