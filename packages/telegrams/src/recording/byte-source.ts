/** The bytes of a recording: an array, or a file of any size that is read as far as it is needed. */
export interface ByteSource {
  /** Number of bytes. */
  readonly length: number;
  /** Returns bytes from `start` up to `end`, fewer at the end of the source. They do not change afterwards. */
  part(start: number, end: number): Uint8Array;
}

/** Returns a source for an array, which is not copied. */
export function sourceOf(bytes: Uint8Array): ByteSource {
  return { length: bytes.length, part: (start, end) => bytes.subarray(start, end) };
}

/** Returns a view of bytes that must be there. */
export function viewOf(source: ByteSource, start: number, count: number): DataView {
  const part = source.part(start, start + count);
  return new DataView(part.buffer, part.byteOffset, count);
}
