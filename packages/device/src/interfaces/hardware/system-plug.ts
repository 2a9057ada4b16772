/**
 * A system plug: a small memory in the connector of the scanner. It stays at the machine when the scanner is replaced.
 * It has one file. The scanner uses it for one task after the other.
 */
export interface SystemPlug {
  /** Its name in the log, for example its folder. */
  readonly name: string;
  /**
   * The file. Undefined if the plug is empty. If the file is longer than a backup can be, the beginning is enough.
   * @throws PlugFailure, or an error of the system, if it cannot be read
   */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Replaces the file. When the promise resolves, the new one is on the plug, complete. Until then, the old one is.
   * @throws PlugFailure, or an error of the system, if it cannot be written; then the old file stays complete
   */
  write(content: Uint8Array): Promise<void>;
  /** Renames a file that cannot be understood, and returns its new name. @throws as `write` */
  setAside(): Promise<string>;
  /** The scanner no longer uses the plug, until it reads it again. */
  release(): Promise<void>;
}

/** The plug cannot be used. Clients get the message, so it contains no path. */
export class PlugFailure extends Error {
  override readonly name = 'PlugFailure';
}
