/** A file that is kept of a scanner. */
export interface ArchivedFile {
  /** A backup of the scanner, or its site file. */
  readonly kind: 'backup' | 'site';
  readonly content: Uint8Array;
}

/** Endings of the names of files, by what they are. */
export const endings = { backup: 'json', site: 'yaml' } as const;

/** Files that were fetched from a scanner. */
export interface Fetched {
  readonly files: readonly ArchivedFile[];
  /** Why a file is missing; undefined if none is. */
  readonly failure?: Error | undefined;
}

/** A scanner of the archive. */
export interface ScannerToArchive {
  /** Its name in the log. */
  readonly name: string;
  /** Name of its folder: letters, digits, `-`, `_` and `.`, no `.` in front. */
  readonly folder: string;
  /** Fetches what is kept of it. @throws ClientError */
  fetch(): Promise<Fetched>;
  /**
   * Returns a line for each value that differs between two of its site files. Both are of unknown origin.
   * @param before undefined if there is none
   */
  changes(before: Uint8Array | undefined, after: Uint8Array): readonly string[];
}

/** Report of a place about files that were stored. */
export interface Stored {
  /** Changes since the last time: a line for each value; empty if nothing has changed. */
  readonly changes: readonly string[];
}

/** Where the files are kept. */
export interface ArchivePlace {
  /** Stores the files of a scanner, all of them or none. Rejects if they cannot be written. @param at in ms since 1970 */
  store(scanner: ScannerToArchive, files: readonly ArchivedFile[], at: number): Promise<Stored>;
}
