import * as fs from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { codeOf } from './storage-failure.js';

// Only calls that wait for the disk run in another thread. The others take less time than a thread switch.
const sync = promisify(fs.fsync);
const rename = promisify(fs.rename);

/** Maximum number of bytes that wait for the disk before reading pauses. */
const mostWaiting = 1024 * 1024;

/** The suffix of unfinished files. No other program uses it, so leftovers can be removed. */
export const unfinished = '.azimuth-unfinished';

/** A temporary file and the path of the file that it replaces. */
interface Replacement {
  readonly temporary: string;
  readonly path: string;
}

/**
 * Replaces a file. When the promise resolves, the new one is on disk, complete. Until then, the old one is. `folder` is
 * the open folder that holds both: without its own sync, a power cut may undo the rename. It is undefined on Windows,
 * which can open no folder and needs no such call.
 */
export async function replace(
  { temporary, path, content, mode }: Replacement & { readonly content: Uint8Array; readonly mode: number },
  folder: number | undefined,
): Promise<void> {
  await put({ temporary, path }, folder, async () => {
    const file = created(temporary, mode);
    try {
      fs.writeFileSync(file, content);
      await sync(file);
    } finally {
      fs.closeSync(file);
    }
  });
}

/** Replaces a large file with pieces, without blocking this thread. Rejects with the errors of `pieces`. */
export async function receive(
  {
    temporary,
    path,
    pieces,
    mode,
  }: Replacement & {
    readonly pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
    readonly mode: number;
  },
  folder: number | undefined,
): Promise<void> {
  await put({ temporary, path }, folder, async () => {
    await rm(temporary, { force: true });
    // Created before the first piece is requested. Otherwise a file that is aborted at once would appear after its
    // removal.
    const file = await open(temporary, 'wx', mode);
    // `flush`: all of it is on disk before the file is closed, which the pipeline waits for.
    await pipeline(pieces, file.createWriteStream({ flush: true, highWaterMark: mostWaiting }));
  });
}

async function put(
  { temporary, path }: Replacement,
  folder: number | undefined,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  if (folder !== undefined) await sync(folder);
}

/** Opens a new file with this mode. A leftover file would have its own mode. */
function created(path: string, mode: number): number {
  try {
    return fs.openSync(path, 'wx', mode);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    fs.rmSync(path, { force: true });
    return fs.openSync(path, 'wx', mode);
  }
}
