import { createReadStream } from 'node:fs';
import { isObject } from '@azimuth/model';
import { CommandFailure, unreadable } from './command-failure.js';

/** The most bytes of files that people write. */
export const longestFile = {
  /** Of parameters of scanners: 1000 scanners with all of theirs. */
  site: 16 * 1024 * 1024,
  fleet: 8 * 1024 * 1024,
  devices: 4 * 1024 * 1024,
  faults: 1024 * 1024,
  backup: 16 * 1024 * 1024,
  /** For the control port. */
  commands: 8 * 1024 * 1024,
  /** Certificates and keys in PEM. */
  pem: 1024 * 1024,
  secret: 64 * 1024,
} as const;

/** Stands for standard input. */
export const standardInput = '-';

interface Wanted {
  /** Bytes. */
  readonly limit: number;
  /** What names the file in errors; its path if missing. */
  readonly name?: string;
}

/**
 * A whole file, or standard input for `-`. No more than the limit is read of what never ends.
 * @throws CommandFailure if it cannot be read, or is longer than the limit
 */
export async function bytesOfFile(
  path: string,
  { limit, name = path === standardInput ? 'stdin' : path }: Wanted,
): Promise<Buffer<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    // One byte more, to see that there is more.
    const source = path === standardInput ? process.stdin : createReadStream(path, { end: limit });
    for await (const piece of source) {
      const bytes = Buffer.from(piece);
      pieces.push(bytes);
      length += bytes.length;
      if (length > limit) break;
    }
  } catch (error) {
    return unreadable(name)(error instanceof Error ? error : new Error(String(error)));
  }
  if (length > limit) throw new CommandFailure(`${name}: expected at most ${limit} bytes, got more`);
  return Buffer.concat(pieces);
}

/** The same as a text in UTF-8. @throws CommandFailure */
export async function textOfFile(path: string, wanted: Wanted): Promise<string> {
  return (await bytesOfFile(path, wanted)).toString('utf8');
}

/** The same; undefined if there is no such file. @throws CommandFailure */
export async function textIfThere(path: string, wanted: Wanted): Promise<string | undefined> {
  try {
    return await textOfFile(path, wanted);
  } catch (error) {
    if (error instanceof CommandFailure && isObject(error.cause) && error.cause.code === 'ENOENT')
      return undefined;
    throw error;
  }
}
