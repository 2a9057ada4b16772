/** What a kept archive is called and when it was made. It stands in the archive itself, as the comment of the zip. */
export interface DumpLabel {
  /** Seconds since 1970, UTC, of the device clock: a uint32. */
  readonly created: number;
  /** The second name that it can be fetched under; empty where there is none. */
  readonly output: string;
}

/** Seconds since 1970 as a uint32 can tell them: a time before or after is told as the nearest one (ms since 1970). */
export function secondsOf(time: number): number {
  return Math.min(Math.max(Math.floor(time / 1000), 0), 2 ** 32 - 1);
}

const form = /^azimuth diagnostic archive; created=(\d{1,10}); output=([^;]*)$/;

export function commentOf({ created, output }: DumpLabel): string {
  return `azimuth diagnostic archive; created=${created}; output=${encodeURIComponent(output)}`;
}

/** The record that ends every zip (APPNOTE 4.3.16): 22 bytes, of which the last two are the comment's length. */
const endSignature = 0x06054b50;
const endLength = 22;
const longestComment = 1024;

/** The label of an archive; undefined where the bytes are none of ours, or not whole. */
export function labelOf(archive: Uint8Array): DumpLabel | undefined {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const earliest = Math.max(0, bytes.length - endLength - longestComment);
  for (let at = bytes.length - endLength; at >= earliest; at--) {
    if (bytes.readUInt32LE(at) !== endSignature) continue;
    if (bytes.readUInt16LE(at + endLength - 2) !== bytes.length - at - endLength) continue;
    return labelOfComment(bytes.toString('latin1', at + endLength));
  }
  return undefined;
}

function labelOfComment(comment: string): DumpLabel | undefined {
  const [, created, output] = form.exec(comment) ?? [];
  if (created === undefined || output === undefined) return undefined;
  try {
    return { created: Number(created), output: decodeURIComponent(output) };
  } catch {
    return undefined;
  }
}
