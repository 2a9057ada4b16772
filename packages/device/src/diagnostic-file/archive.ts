import { ZipFile } from 'yazl';

/** A file of an archive. */
export interface Entry {
  readonly name: string;
  readonly content: string;
}

/** Zip archives know the years 1980 to 2107 (APPNOTE 4.4.6). */
const earliest = Date.UTC(1980, 0);
const latest = Date.UTC(2108, 0) - 1;

/**
 * A zip archive of these files, all with this time (milliseconds since 1970; the nearest that archives know), and a
 * comment in ASCII at its end.
 */
export async function zipOf(entries: readonly Entry[], time: number, comment: string): Promise<Uint8Array> {
  const zip = new ZipFile();
  const parts: Uint8Array[] = [];
  const mtime = new Date(Math.min(Math.max(time, earliest), latest));
  let broken = (_: Error): void => undefined;
  const whole = new Promise<Uint8Array>((resolve, reject) => {
    broken = reject;
    zip.on('error', reject);
    zip.outputStream.on('error', reject);
    zip.outputStream.on('data', (part: Buffer) => parts.push(part));
    zip.outputStream.on('end', () => resolve(Buffer.concat(parts)));
    // What it throws in a callback of its own comes to nobody else, and there would be no end to wait for.
    process.once('uncaughtExceptionMonitor', reject);
  });
  for (const { name, content } of entries) {
    zip.addBuffer(Buffer.from(content), name, { mtime, mode: 0o100644 });
  }
  zip.end({ comment, forceZip64Format: false });
  try {
    return await whole;
  } finally {
    process.off('uncaughtExceptionMonitor', broken);
  }
}

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
