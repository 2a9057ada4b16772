/** Where a scanner keeps what must outlive it: a folder, or a place in a database that many scanners share. */
export interface Storage {
  /** The whole document; undefined where there is none. */
  read(name: string): Promise<Uint8Array | undefined>;
  /**
   * Replaces a document. When the promise is fulfilled the new one is on disk, whole; until then the old one is.
   * A secret document is readable by the owner alone, at every moment.
   */
  write(name: string, content: Uint8Array, facts?: { readonly secret?: boolean }): Promise<void>;
  /** Takes a document that cannot be understood out of the way, unharmed; answers where it is now. */
  setAside(name: string): Promise<string>;
  /** Gives back what was taken to use the storage alone. */
  close(): Promise<void>;
}
