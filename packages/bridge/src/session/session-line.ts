import { isUtf8 } from 'node:buffer';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { TimelineEntry } from '../timeline/timeline-entry.js';
import { LineReader } from './line-reader.js';

// A session is a text file with one JSON object a line: the head first, then the entries of the timeline in their order,
// without telegrams of data streams. Bytes are a text if they are UTF-8, otherwise `{ "base64": … }`.

/** An entry of a session: everything of a timeline but telegrams of data streams. */
export type SessionEntry = Exclude<TimelineEntry, { readonly kind: 'telegram' }>;

/** First line of a session. */
export interface SessionHead {
  readonly session: 'azimuth';
  readonly version: 1;
  /** When it began: ISO 8601. */
  readonly begun: string;
  /** URL of the scanner. */
  readonly target: string;
}

export function headLine(target: string, begun: Date): string {
  const head: SessionHead = { session: 'azimuth', version: 1, begun: begun.toISOString(), target };
  return `${JSON.stringify(head)}\n`;
}

/** Returns the line of an entry; undefined for a telegram of a data stream. */
export function lineOf(entry: TimelineEntry): string | undefined {
  if (entry.kind === 'telegram') return undefined;
  // Bytes are members of the entry itself. JSON.stringify would write a number for each of them, which takes long.
  const members = Object.entries(entry).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Uint8Array ? bytesAsJson(value) : value,
  ]);
  return `${JSON.stringify(Object.fromEntries(members))}\n`;
}

function bytesAsJson(bytes: Uint8Array): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return isUtf8(buffer) ? buffer.toString() : { base64: buffer.toString('base64') };
}

/** Reads the first line. @throws Error with what was expected, and what came */
export function readHead(line: string): SessionHead {
  const reader = LineReader.of(line);
  const session = reader.oneOf('session', ['azimuth']);
  if (reader.integer('version') !== 1) throw new Error('"version": expected 1, got another one');
  return { session, version: 1, begun: reader.text('begun'), target: reader.text('target') };
}

const directions = ['to scanner', 'from scanner'] as const;

/** Reads a line. @throws Error with the place in the line, what was expected, and what came */
export function readEntry(line: string): SessionEntry {
  const reader = LineReader.of(line);
  const at = reader.integer('at');
  const kind = reader.oneOf('kind', [
    ...(['request', 'response', 'event', 'legacy', 'opened', 'closed', 'finding', 'fault'] as const),
  ]);
  switch (kind) {
    case 'request':
      return {
        ...{ kind, at, id: reader.integer('id'), method: reader.text('method'), path: reader.text('path') },
        ...bodyIn(reader),
      };
    case 'response':
      return {
        ...{ kind, at, id: reader.integer('id'), status: reader.optionalInteger('status') },
        ...bodyIn(reader),
        ...(reader.optionalFlag('isBrokenOff') === true ? { isBrokenOff: true } : {}),
      };
    case 'event':
      return {
        ...{ kind, at, connection: reader.integer('connection'), path: reader.text('path') },
        ...{ direction: reader.oneOf('direction', directions), message: reader.message('message') },
      };
    case 'legacy':
      return {
        ...{ kind, at, connection: reader.integer('connection') },
        ...{
          framing: reader.oneOf('framing', ['text', 'binary']),
          direction: reader.oneOf('direction', directions),
        },
        bytes: reader.bytes('bytes'),
      };
    case 'opened':
      return {
        ...{ kind, at, connection: reader.integer('connection'), protocol: protocolIn(reader) },
        ...{ path: reader.optionalText('path'), isCompressed: reader.optionalFlag('isCompressed') },
      };
    case 'closed':
      return {
        ...{ kind, at, connection: reader.integer('connection'), protocol: protocolIn(reader) },
        ...{ direction: reader.oneOf('direction', directions), code: reader.optionalInteger('code') },
      };
    case 'finding':
      return {
        ...{ kind, at, of: reader.text('of'), where: reader.text('where') },
        ...{ expected: reader.text('expected'), came: reader.text('came') },
      };
    case 'fault':
      return { kind, at, fault: reader.text('fault'), on: reader.text('on') };
  }
}

function protocolIn(reader: LineReader) {
  return reader.oneOf('protocol', ['events', 'text', 'binary']);
}

/** Returns names and values in turn. Node would refuse others only when a program waits for its response. */
function headersIn(reader: LineReader): readonly string[] {
  const headers = reader.texts('headers');
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    validateHeaderName(name);
    validateHeaderValue(name, headers[index + 1] ?? '');
  }
  return headers;
}

function bodyIn(reader: LineReader) {
  const unkept = reader.optionalPart('unkept');
  return {
    headers: headersIn(reader),
    body: reader.bytes('body'),
    ...(unkept === undefined
      ? {}
      : { unkept: { length: unkept.integer('length'), sha256: unkept.optionalText('sha256') } }),
  };
}
