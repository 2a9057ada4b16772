import { hash } from 'node:crypto';
import { isObject } from '@azimuth/model';

/** A document that cannot be understood: truncated, altered, or of a later format. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

/** The form that documents have. */
export const format = 1;

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
  if (checksum === undefined && holdsItsChecksum(content)) {
    throw new UnreadableDocument('the checksum has another name');
  }
  return content;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new UnreadableDocument('not JSON, or not whole');
  }
}

/** A bit that flips in the name `checksum` must not make a document look as if a person had taken the checksum out. */
function holdsItsChecksum(content: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(content).some(([name, value]) => {
    if (typeof value !== 'string') return false;
    const { [name]: _, ...rest } = content;
    return value === checksumOf(rest);
  });
}

/** Over the content as JSON.stringify writes it. */
function checksumOf(content: Readonly<Record<string, unknown>>): string {
  return hash('sha256', JSON.stringify(content));
}
