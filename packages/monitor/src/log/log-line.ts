import { crc32 } from 'node:zlib';
import { isObject } from '@azimuth/model';
import { jsonText } from '@azimuth/wording';
import { entryIn } from './entry-from-json.js';
import type { StorableEntry } from './storable-entry.js';

/** Version of the format. It rises if a program that knows only this one could misread a line. */
const version = 1;

/** Longest line in bytes, with its line feed. No entry within the bounds is longer. */
export const longestLine = 1024 * 1024;

/**
 * Encodes an entry as one line of JSON, with its line feed:
 * `{"v":1,"time":"2026-11-29T19:05:07.123Z",…,"crc":"1a2b3c4d"}`. `crc` is always last: the CRC-32 of all bytes before its
 * comma. Characters that control a terminal are escaped.
 */
export function encodeLine(entry: StorableEntry): Buffer {
  const { id, at, ...rest } = entry;
  const json = jsonText({ v: version, time: new Date(at).toISOString(), id, at, ...rest });
  const body = Buffer.from(json.slice(0, -1));
  return Buffer.concat([body, Buffer.from(`,"crc":"${sumOf(body)}"}\n`)]);
}

/** The content of a line: an entry, or the reason why there is none. */
export type DecodedLine =
  | { readonly entry: StorableEntry; readonly reason?: undefined }
  | { readonly entry?: undefined; readonly reason: string };

/** The first bytes of each line. */
const lineStart = `{"v":${version},"time":"`;

/**
 * Decodes a line without its line feed. If the line feed between two lines is damaged, they look like one: both are
 * returned.
 */
export function decodeJoinedLines(line: Buffer): readonly DecodedLine[] {
  const whole = decodeLine(line);
  if (whole.entry !== undefined) return [whole];
  const second = line.indexOf(lineStart, 1);
  if (second < 0) return [whole];
  const first = decodeLine(line.subarray(0, second - 1));
  // A value may contain the same bytes.
  if (first.entry === undefined) return [whole];
  return [first, ...decodeJoinedLines(line.subarray(second))];
}

const endLength = ',"crc":"00000000"}'.length;

function decodeLine(line: Buffer): DecodedLine {
  const body = line.subarray(0, Math.max(0, line.length - endLength));
  const [, sum] = /^,"crc":"([\da-f]{8})"\}$/.exec(line.toString('latin1', body.length)) ?? [];
  if (sum === undefined) return { reason: 'it does not end with its crc' };
  if (sum !== sumOf(body)) return { reason: 'its crc is another one' };
  const json = parsed(body);
  if (!isObject(json)) return { reason: 'it is no JSON object' };
  if (json.v !== version)
    return {
      reason: `its format has version ${String(json.v).slice(0, 20)}, and this program reads version ${version}`,
    };
  const entry = entryIn(json);
  return entry === undefined ? { reason: 'it is no entry that this program knows' } : { entry };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(`${body.toString()}}`);
  } catch {
    return undefined;
  }
}

function sumOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
