import { ZipFile } from 'yazl';

/** A file of an archive. */
export interface Entry {
  readonly name: string;
  readonly content: string;
}

/** Zip archives can store the years 1980 to 2107 (APPNOTE 4.4.6). */
const earliest = Date.UTC(1980, 0);
const latest = Date.UTC(2108, 0) - 1;

/**
 * A zip archive of these files, all with this time (ms since 1970, clamped to the range of archives), and an ASCII
 * comment at its end.
 */
export async function zipOf(entries: readonly Entry[], time: number, comment: string): Promise<Uint8Array> {
  const zip = new ZipFile();
  const parts: Uint8Array[] = [];
  const mtime = new Date(Math.min(Math.max(time, earliest), latest));
  let broken = (_: Error): void => undefined;
  const bytes = new Promise<Uint8Array>((resolve, reject) => {
    broken = reject;
    zip.on('error', reject);
    zip.outputStream.on('error', reject);
    zip.outputStream.on('data', (part: Buffer) => parts.push(part));
    zip.outputStream.on('end', () => resolve(Buffer.concat(parts)));
    // An error in a callback of yazl reaches no other handler, and the archive would never end.
    process.once('uncaughtExceptionMonitor', reject);
  });
  for (const { name, content } of entries) {
    zip.addBuffer(Buffer.from(content), name, { mtime, mode: 0o100644 });
  }
  zip.end({ comment, forceZip64Format: false });
  try {
    return await bytes;
  } finally {
    process.off('uncaughtExceptionMonitor', broken);
  }
}

/** The name and the time of a stored archive. They are in the archive, as the comment of the zip. */
export interface DumpLabel {
  /** Seconds since 1970, UTC, of the device clock: a uint32. */
  readonly created: number;
  /** A second name under which it can be downloaded; empty if there is none. */
  readonly output: string;
}

/** Seconds since 1970 of a time in ms since 1970, clamped to a uint32. */
export function secondsOf(time: number): number {
  return Math.min(Math.max(Math.floor(time / 1000), 0), 2 ** 32 - 1);
}

/** Archives of earlier versions begin with the name of the program. */
const form = /^(?:azimuth )?diagnostic archive; created=(\d{1,10}); output=([^;]*)$/;

export function commentOf({ created, output }: DumpLabel): string {
  return `diagnostic archive; created=${created}; output=${encodeURIComponent(output)}`;
}

/** The record that ends every zip (APPNOTE 4.3.16): 22 bytes, of which the last two are the comment's length. */
const endSignature = 0x06054b50;
const endLength = 22;
const longestComment = 1024;

/** The label of an archive. Undefined if the bytes are not a complete archive. */
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
