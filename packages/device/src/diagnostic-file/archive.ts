import { Later } from '../later.js';

/** A file of an archive. */
export interface Entry {
  readonly name: string;
  readonly content: string;
}

const zipWriter = new Later(() => import('yazl'));

/** Zip archives know the years 1980 to 2107 (APPNOTE 4.4.6). */
const earliest = Date.UTC(1980, 0);
const latest = Date.UTC(2108, 0) - 1;

/**
 * A zip archive of these files, all with this time (milliseconds since 1970; the nearest that archives know), and a
 * comment in ASCII at its end.
 */
export async function zipOf(entries: readonly Entry[], time: number, comment: string): Promise<Uint8Array> {
  const { ZipFile } = await zipWriter.loaded();
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
