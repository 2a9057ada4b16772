import { lstat } from 'node:fs/promises';
import { errorMessage } from '../lifecycle/unexpected-errors.js';

/** The code of an error of the system or of Node, for example `ENOENT`; undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Reports that the storage of a scanner does not respond, or refuses. This says nothing about its content. */
export class StorageUnavailable extends Error {
  /** The name in log entries. Programs that evaluate logs rely on it. */
  override readonly name: string = 'StorageAway';
  /** The cause and a remedy for clients of the scanner: no addresses, no names of this machine. */
  readonly forClients: string;

  /**
   * Creates the error that a storage of yours throws.
   * @param message for the log: the complete reason
   * @param forClients the cause and a remedy, without names of this machine
   */
  constructor(message: string, forClients: string, options?: ErrorOptions) {
    super(message, options);
    this.forClients = forClients;
  }
}

/** Remedies for operators, by the code of the error. */
const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'make room there, then try again',
  EDQUOT: 'make room there, then try again',
  EFBIG: 'make room there, then try again',
  EACCES: 'give the scanner the right to write to its folder, then try again',
  EPERM: 'give the scanner the right to write to its folder, then try again',
  EROFS: 'give the scanner the right to write to its folder, then try again',
  ENOENT: 'the folder of the scanner is gone: put it back, then try again',
};

/** Codes of a temporary shortage of the system. They say nothing about the document. */
const temporary = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'];

/** The complete reason, for the log. Never throws, regardless of what a storage or a plug of a maker has thrown. */
export function reasonOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : errorMessage(error);
  } catch {
    return errorMessage(error);
  }
}

/** The cause and a remedy, without paths: clients must not see those of this machine. */
export function remedyOf(error: unknown): string {
  if (error instanceof StorageUnavailable) return error.forClients;
  const code = codeOf(error);
  if (code === undefined) return causeOf(error);
  return `${causeOf(error)}; ${remedies[code] ?? 'the log of the scanner says more'}`;
}

/** The cause without paths. */
export function causeOf(error: unknown): string {
  if (error instanceof StorageUnavailable) return error.forClients;
  const code = codeOf(error);
  if (code === undefined) return 'the log of the scanner says why';
  // Messages of the system read `CODE: text, call 'path'`.
  return reasonOf(error).split(',', 1)[0] ?? code;
}

/** True for a temporary error of the system, or of a database. It says nothing about the document. */
export function isTemporary(error: unknown): boolean {
  return error instanceof StorageUnavailable || temporary.includes(codeOf(error) ?? '');
}

/** A document that differs from the written one, according to its storage. */
export class DamagedDocument extends Error {
  override readonly name = 'DamagedDocument';
}

/**
 * True if an error of a read concerns the document itself. Any other error (rights, a broken disk, a busy system) may
 * be temporary, and then the document is unchanged.
 */
export function isOfDocument(error: unknown): boolean {
  return error instanceof DamagedDocument || error instanceof LinkInPlace || codeOf(error) === 'EISDIR';
}

/** A symbolic link in place of a document. It is not followed: its target may belong to anybody. */
export class LinkInPlace extends Error {
  override readonly name = 'LinkInPlace';

  constructor(document: string) {
    super(`${document} is a symbolic link, and links in the folder of a scanner are not followed`);
  }
}

/** True if the file system reports that there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** True if anything has this path, including a link to nowhere. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
