import { isUtf8 } from 'node:buffer';
import { Fault, isObject } from '@azimuth/model';

/** What a POST carries: the credentials and the payload, both as they came. */
export interface Payload {
  readonly header: unknown;
  readonly data: unknown;
}

const nothing: Payload = { header: undefined, data: undefined };

/**
 * The JSON of a POST, whatever its Content-Type. An empty body, `null` and `{}` mean that there is no payload.
 * @throws Fault 1 for what is no JSON object.
 */
export function payloadOf(body: Buffer): Payload {
  if (!isUtf8(body)) throw new Fault('parsingFailed', '', 'the body is not UTF-8');
  const text = body.toString('utf8');
  if (text.trim() === '') return nothing;
  const json = parse(text);
  if (json === null) return nothing;
  if (!isObject(json)) throw new Fault('parsingFailed', '', 'the body has to be a JSON object');
  return {
    header: Object.hasOwn(json, 'header') ? json.header : undefined,
    data: Object.hasOwn(json, 'data') ? json.data : undefined,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault('parsingFailed', '', 'the body is not valid JSON');
  }
}
