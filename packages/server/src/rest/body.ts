import type { IncomingMessage } from 'node:http';
import { Fault, isObject } from '@azimuth/model';
import { type Bodies, BodyRefused } from '../http/bodies.js';

/** What a POST carries: the credentials and the payload, both as they came. */
export interface Payload {
  readonly header: unknown;
  readonly data: unknown;
}

/**
 * Reads a POST's JSON, whatever its Content-Type. An empty body, `null` and `{}` mean that there is no payload.
 * @throws Fault 1 for what is no JSON object, and for a body that is too large; BodyBrokenOff.
 */
export async function readPayload(request: IncomingMessage, bodies: Bodies): Promise<Payload> {
  const text = decode(await read(request, bodies));
  if (text.trim() === '') return { header: undefined, data: undefined };
  const json = parse(text);
  if (json === null) return { header: undefined, data: undefined };
  if (!isObject(json)) throw new Fault('parsingFailed', '', 'the body has to be a JSON object');
  return {
    header: Object.hasOwn(json, 'header') ? json.header : undefined,
    data: Object.hasOwn(json, 'data') ? json.data : undefined,
  };
}

async function read(request: IncomingMessage, bodies: Bodies): Promise<Buffer> {
  try {
    return await bodies.read(request);
  } catch (error) {
    throw error instanceof BodyRefused ? new Fault('parsingFailed', '', error.message) : error;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Fault('parsingFailed', '', 'the body is not UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault('parsingFailed', '', 'the body is not valid JSON');
  }
}
