import { hash } from 'node:crypto';
import { isObject } from '@azimuth/model';
import { format } from './document.js';

/** Members of members have lines of their own; what is deeper has none. */
const depth = 1;

/**
 * A document in JSON that a person can read: a line for each member and each member of a member, with a checksum over
 * the content that tells a flipped bit.
 */
export function encodeDocument(content: Readonly<Record<string, unknown>>): Uint8Array {
  const checksum = hash('sha256', JSON.stringify(content));
  return Buffer.from(`${inLines({ format, checksum, ...content }, depth, '  ')}\n`);
}

function inLines(object: Readonly<Record<string, unknown>>, deeper: number, indent: string): string {
  const lines = Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const json =
        deeper > 0 && isObject(value) ? inLines(value, deeper - 1, `${indent}  `) : JSON.stringify(value);
      return `${indent}${JSON.stringify(name)}: ${json}`;
    });
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent.slice(2)}}`;
}
