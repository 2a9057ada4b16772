/** Where a scanner keeps what must outlive it: a folder, or a place in a database that many scanners share. */
export interface Storage {
  /**
   * The whole document; undefined where there is none.
   * @throws LinkInPlace where a symbolic link stands in its place, wherever that leads
   */
  read(name: string): Promise<Uint8Array | undefined>;
  /**
   * Replaces a document. When the promise is fulfilled the new one is on disk, whole; until then the old one is.
   * A secret document is readable by the owner alone, at every moment.
   */
  write(name: string, content: Uint8Array, options?: { readonly secret?: boolean }): Promise<void>;
  /**
   * Replaces a file with what comes in pieces, and holds no more of it than a few of them. On disk, whole, when the
   * promise is fulfilled; until then, and for good where `pieces` throws, the old file is. Rejects with what it throws.
   */
  receive(name: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * A file from its beginning to its end, as it is now, whatever takes its place meanwhile; undefined where there is none.
   * @throws LinkInPlace as `read`
   */
  pieces(name: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Removes a file where there is one. */
  remove(name: string): Promise<void>;
  /** Takes a document that cannot be understood out of the way, unharmed; answers where it is now. */
  setAside(name: string): Promise<string>;
  /** Gives back what was taken to use the storage alone. */
  close(): Promise<void>;
}
