import { isUtf8 } from 'node:buffer';
import { Fault, isObject } from '@azimuth/model';
import { type Extent, isDeeper, NotJson, scanBody, TooDeep } from './json-scan.js';

/** A body of so many bytes is parsed at once: V8 takes some ms at most for the worst of them. */
const small = 16 * 1024;

/** Bytes of a `header` that is looked at: one with the five texts that it holds has some 400. */
const longestHeader = 4096;

/** What a POST carries: the credentials and the payload. */
export interface Payload {
  /** As it came; null for one that is too long to be any. */
  readonly header: unknown;
  /** As it came. A large one is parsed when it is asked for, which is to be when its caller has been let in. */
  readonly data: unknown;
}

const nothing: Payload = { header: undefined, data: undefined };

/**
 * The JSON of a POST, whatever its Content-Type. An empty body, `null` and `{}` mean that there is no payload.
 * @param deepest how many objects and arrays may stand within each other
 * @throws Fault 1 for what is no JSON object, or nested deeper.
 */
export function payloadOf(body: Buffer, deepest: number): Payload {
  if (!isUtf8(body)) throw new Fault('parsingFailed', '', 'the body is not UTF-8');
  try {
    return body.length > small ? ofLarge(body, deepest) : ofSmall(body, deepest);
  } catch (error) {
    if (error instanceof NotJson) throw new Fault('parsingFailed', '', error.message);
    throw error;
  }
}

function ofSmall(body: Buffer, deepest: number): Payload {
  if (isDeeper(body, deepest)) throw new TooDeep(deepest);
  const text = body.toString('utf8');
  if (text.trim() === '') return nothing;
  const json = parse(text);
  if (json === null) return nothing;
  if (!isObject(json)) throw notAnObject();
  return {
    header: Object.hasOwn(json, 'header') ? json.header : undefined,
    data: Object.hasOwn(json, 'data') ? json.data : undefined,
  };
}

/** Nothing is parsed but the header: whoever has no right to have the rest read must not cost more than a look at it. */
function ofLarge(body: Buffer, deepest: number): Payload {
  const { kind, header, data } = scanBody(body, deepest);
  if (kind === 'null' || kind === 'empty') return nothing;
  if (kind === 'other') throw notAnObject();
  return {
    header: header !== undefined && header.end - header.begin > longestHeader ? null : parsed(body, header),
    get data() {
      return parsed(body, data);
    },
  };
}

function parsed(body: Buffer, extent: Extent | undefined): unknown {
  return extent === undefined ? undefined : parse(body.toString('utf8', extent.begin, extent.end));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson('the body is not valid JSON');
  }
}

function notAnObject(): Fault {
  return new Fault('parsingFailed', '', 'the body has to be a JSON object');
}
