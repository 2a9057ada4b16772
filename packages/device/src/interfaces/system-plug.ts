/**
 * A system plug: a small memory in the connector of the scanner. It stays at the machine when the scanner is exchanged. It
 * has one file. The scanner uses it for one thing after the other.
 */
export interface SystemPlug {
  /** What the log calls it, for example its folder. */
  readonly name: string;
  /**
   * The file; undefined if the plug is empty. Of a longer file than a backup can be, the beginning suffices.
   * @throws PlugFailure, or an error of the system, if it cannot be read
   */
  read(): Promise<Uint8Array | undefined>;
  /**
   * Replaces the file. The new one is on the plug, whole, when the promise resolves; until then the old one is.
   * @throws PlugFailure, or an error of the system, if it cannot be written; then the old file stays whole
   */
  write(content: Uint8Array): Promise<void>;
  /** Renames a file that cannot be understood, and returns its new name. @throws as `write` */
  setAside(): Promise<string>;
  /** The scanner does not use the plug any more, until it reads it again. */
  release(): Promise<void>;
}

/** The plug cannot be used. Clients get the message, so it contains no path. */
export class PlugFailure extends Error {
  override readonly name = 'PlugFailure';
}
