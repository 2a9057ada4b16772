import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { SceneError } from './file-problems.js';

/**
 * Reads a file of limited size. A device or pipe has no known size, and may never end.
 * @throws SceneError if it cannot be read, or has more bytes
 */
export async function bytesOfFile(path: string, most: number): Promise<Buffer> {
  return reading(path, async () => {
    const pieces: Uint8Array[] = [];
    // One byte more shows that the file is too large.
    for await (const piece of createReadStream(path, { end: most })) pieces.push(Buffer.from(piece));
    const bytes = Buffer.concat(pieces);
    if (bytes.length > most) throw new SceneError(`${path}: expected at most ${most} bytes, got more`);
    return bytes;
  });
}

/**
 * Reads a file that another file names. Pipes and devices are refused: opening a pipe may take forever.
 * @throws SceneError
 */
export async function bytesOfNamedFile(path: string, most: number): Promise<Buffer> {
  await reading(path, async () => {
    if (!(await stat(path)).isFile()) throw new SceneError(`${path}: is not a file`);
  });
  return bytesOfFile(path, most);
}

/** @throws SceneError with the reason why a file cannot be read */
async function reading<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof SceneError) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new SceneError(`${path}: there is no such file`);
    throw new SceneError(`${path}: cannot be read (${String(code ?? error)})`);
  }
}
