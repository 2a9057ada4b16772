import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isObject } from '@azimuth/model';
import { CommandFailure, unreadable } from '../command-failure.js';

/** Maximum bytes of files that people write. */
export const maxFileBytes = {
  /** Parameters of scanners: 1000 scanners with all of theirs. */
  site: 16 * 1024 * 1024,
  fleet: 8 * 1024 * 1024,
  devices: 4 * 1024 * 1024,
  monitor: 1024 * 1024,
  faults: 1024 * 1024,
  backup: 16 * 1024 * 1024,
  /** An actor or a scene for the control port. */
  commands: 8 * 1024 * 1024,
  /** Certificates and keys in PEM. */
  pem: 1024 * 1024,
  secret: 64 * 1024,
  /** The journal of a rollout: 1000 scanners, each with some lines. */
  journal: 16 * 1024 * 1024,
} as const;

/** Stands for standard input, in commands that accept it. */
const standardInput = '-';

interface InputLimits {
  /** Bytes. */
  readonly limit: number;
  /** Name of the file in errors; its path by default. */
  readonly name?: string;
  /** True if `-` means standard input. */
  readonly orStdin?: boolean;
}

/** Returns the name of a file or of standard input in errors. */
export function inputName(path: string): string {
  return path === standardInput ? 'stdin' : path;
}

/**
 * Reads a whole file, or standard input. Endless input is read up to the limit.
 * @throws CommandFailure if it cannot be read, or is longer than the limit
 */
export async function bytesOfFile(
  path: string,
  { limit, orStdin = false, name = orStdin ? inputName(path) : path }: InputLimits,
): Promise<Buffer<ArrayBuffer>> {
  const isStdin = orStdin && path === standardInput;
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    // A device or pipe reports no size.
    if (!isStdin) length = (await stat(path)).size;
    if (length > limit) throw new TooLong(`${name}: expected at most ${limit} bytes, got ${length}`);
    length = 0;
    // One byte more, to detect a longer file.
    for await (const piece of isStdin ? process.stdin : createReadStream(path, { end: limit })) {
      const bytes = Buffer.from(piece);
      pieces.push(bytes);
      length += bytes.length;
      if (length > limit) throw new TooLong(`${name}: expected at most ${limit} bytes, got more`);
    }
  } catch (error) {
    if (error instanceof TooLong) throw error;
    return unreadable(name)(error instanceof Error ? error : new Error(String(error)));
  }
  return Buffer.concat(pieces);
}

class TooLong extends CommandFailure {}

/** Reads a whole file as a text in UTF-8. @throws CommandFailure */
export async function readTextFile(path: string, limits: InputLimits): Promise<string> {
  return (await bytesOfFile(path, limits)).toString('utf8');
}

/** Reads a whole text file; undefined if there is no such file. @throws CommandFailure */
export async function readTextFileIfExists(path: string, limits: InputLimits): Promise<string | undefined> {
  try {
    return await readTextFile(path, limits);
  } catch (error) {
    if (error instanceof CommandFailure && isObject(error.cause) && error.cause.code === 'ENOENT')
      return undefined;
    throw error;
  }
}
