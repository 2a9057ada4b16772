import type { IncomingMessage } from 'node:http';
import { Fault, isObject } from '@azimuth/model';

const largestBody = 1024 * 1024;

/** What a POST carries: the credentials and the payload, both as they came. */
export interface Payload {
  readonly header: unknown;
  readonly data: unknown;
}

/**
 * Reads a POST's JSON, whatever its Content-Type. An empty body, `null` and `{}` mean that there is no payload.
 * @throws Fault 1 for what is no JSON object, and for more than 1 MiB: the rest is drained then, and never kept.
 */
export async function readPayload(request: IncomingMessage): Promise<Payload> {
  const text = await readText(request);
  if (text.trim() === '') return { header: undefined, data: undefined };
  const json = parse(text);
  if (json === null) return { header: undefined, data: undefined };
  if (!isObject(json)) throw new Fault('parsingFailed', '', 'the body has to be a JSON object');
  return {
    header: Object.hasOwn(json, 'header') ? json.header : undefined,
    data: Object.hasOwn(json, 'data') ? json.data : undefined,
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length <= largestBody) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (length > largestBody)
    throw new Fault('parsingFailed', '', `a body of at most ${largestBody} bytes expected`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
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
