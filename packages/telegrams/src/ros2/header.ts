import type { CdrReader, CdrWriter } from './cdr.js';

/** The last stamp that 32 bits of seconds can hold: 2038-01-19 03:14:07.999999 UTC. */
const latest = 2 ** 31 * 1_000_000 - 1;

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

/** i32 seconds, u32 nanoseconds, then the frame as text. Stamps after 2038-01-19 03:14:07.999999 UTC become this one. */
export function writeHeader(cdr: CdrWriter, { stamp, frameId }: Header): void {
  const time = Math.min(stamp, latest);
  const seconds = Math.floor(time / 1_000_000);
  cdr.i32(seconds);
  cdr.u32((time - seconds * 1_000_000) * 1000);
  cdr.text(frameId);
}

export function readHeader(cdr: CdrReader): Header {
  const seconds = cdr.i32();
  return { stamp: seconds * 1_000_000 + Math.round(cdr.u32() / 1000), frameId: cdr.text() };
}
