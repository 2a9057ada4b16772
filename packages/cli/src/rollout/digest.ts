import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { unreadable } from '../command-failure.js';

/** Returns the digest of a text, for a journal: `sha256:…`. */
export function textDigest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** Returns the digest of a file of any length. @throws CommandFailure if it cannot be read */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(path)) hash.update(piece);
  } catch (error) {
    return unreadable(path)(error instanceof Error ? error : new Error(String(error)));
  }
  return `sha256:${hash.digest('hex')}`;
}
