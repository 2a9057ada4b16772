import { createHash } from 'node:crypto';
import { isObject } from '@azimuth/model';
import type { Log } from '../ports/host.js';
import type { Storage } from '../ports/storage.js';

/** A document that cannot be understood: truncated, altered, or of a later format. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

const format = 1;

/** JSON that a person can read, with a checksum over the content that tells a flipped bit. */
export function encodeDocument(content: Readonly<Record<string, unknown>>): Uint8Array {
  return Buffer.from(
    `${JSON.stringify({ format, checksum: checksumOf(content), ...content }, undefined, 2)}\n`,
  );
}

/**
 * The content of a document. One without a checksum is taken as it is: that is how a person edits it by hand.
 * @throws UnreadableDocument
 */
export function decodeDocument(bytes: Uint8Array): Record<string, unknown> {
  const document = parse(bytes);
  if (!isObject(document)) throw new UnreadableDocument('not a JSON object');
  const { format: found, checksum, ...content } = document;
  if (found !== format) throw new UnreadableDocument(`format ${format} expected`);
  if (checksum !== undefined && checksum !== checksumOf(content)) {
    throw new UnreadableDocument('the checksum does not fit the content');
  }
  return content;
}

/** A document as it was found: whole, not there, or lost (told in the log, and set aside where that was possible). */
export type Found<T> =
  | { readonly state: 'whole'; readonly content: T }
  | { readonly state: 'missing' }
  | { readonly state: 'lost' };

/**
 * Reads a document and makes sense of it. One that cannot be read, for its content or for its rights, is set aside
 * and told: `loss` says what that means. It is never overwritten.
 */
export async function findDocument<T>(
  storage: Storage,
  log: Log,
  name: string,
  loss: string,
  contentOf: (document: Record<string, unknown>) => T,
): Promise<Found<T>> {
  try {
    const bytes = await storage.read(name);
    if (bytes === undefined) return { state: 'missing' };
    return { state: 'whole', content: contentOf(decodeDocument(bytes)) };
  } catch (error) {
    const facts = { document: name, setAside: await placeAside(storage, name), reason: reasonOf(error) };
    log.error(loss, facts);
    return { state: 'lost' };
  }
}

async function placeAside(storage: Storage, name: string): Promise<string> {
  try {
    return await storage.setAside(name);
  } catch (error) {
    return `not possible: ${reasonOf(error)}`;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new UnreadableDocument('not JSON, or not whole');
  }
}

function checksumOf(content: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
