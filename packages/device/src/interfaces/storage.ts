/** Where a scanner stores its data: a folder, or a part of a database that many scanners share. */
export interface Storage {
  /**
   * The whole document; undefined if there is none.
   * @throws LinkInPlace if it is a symbolic link, DamagedDocument if it is not what was written
   */
  read(name: string): Promise<Uint8Array | undefined>;
  /**
   * Replaces a document. The new one is on disk, whole, when the promise resolves; until then the old one is.
   * Only the owner can read a secret document, at any time.
   */
  write(name: string, content: Uint8Array, options?: { readonly secret?: boolean }): Promise<void>;
  /**
   * Replaces a file piece by piece, with only a few pieces in memory. The new file is on disk, whole, when the promise
   * resolves; until then the old one is. If `pieces` throws, the old file stays and the promise rejects with the error.
   */
  receive(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * A file as it is now, even if it is replaced while it is read; undefined if there is none.
   * @throws LinkInPlace as `read`
   */
  pieces(name: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Removes a file if it exists. */
  remove(name: string): Promise<void>;
  /** Renames a document that cannot be decoded, and returns its new name. */
  setAside(name: string): Promise<string>;
  /**
   * Has anything of a scanner ever been stored here? Without it, a storage is used if one of the documents of a scanner is in it,
   * or cannot be read.
   */
  isUsed?(): Promise<boolean>;
  /** What was found damaged in the storage itself before it was opened, in words; undefined if nothing was. */
  readonly damage?: string | undefined;
  /** Releases the lock. */
  close(): Promise<void>;
}
