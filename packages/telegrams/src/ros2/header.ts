import type { CdrReader, CdrWriter } from './cdr.js';

/** When and in which frame something was measured (std_msgs/Header). */
export interface Header {
  /** Whole µs. */
  readonly stamp: number;
  readonly frameId: string;
}

/** The most bytes of a header with a frame of this many UTF-16 units. */
export function headerBytes({ frameId }: Header): number {
  return 24 + 3 * frameId.length;
}

/** i32 seconds, u32 nanoseconds, then the frame as text. */
export function writeHeader(cdr: CdrWriter, { stamp, frameId }: Header): void {
  const seconds = Math.floor(stamp / 1_000_000);
  cdr.i32(seconds);
  cdr.u32((stamp - seconds * 1_000_000) * 1000);
  cdr.text(frameId);
}

export function readHeader(cdr: CdrReader): Header {
  const seconds = cdr.i32();
  return { stamp: seconds * 1_000_000 + Math.round(cdr.u32() / 1000), frameId: cdr.text() };
}
