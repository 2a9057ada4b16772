import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isObject, Refusal } from '@azimuth/model';
import type { PortClock } from './interfaces.js';
import { type Extent, NotJson, scanBody, TooDeep } from './json-scan.js';
import {
  firstBodyBuffer,
  longestCredentials,
  mostBytesParsedAtOnce,
  requestsPerClockUpdate,
} from './limits.js';
import type { SharedLimit } from './network/shared-limit.js';

const noBytes: Buffer = Buffer.alloc(0);

/**
 * Collects one body in one buffer that doubles in size: keeping the chunks themselves may cost a hundred times their
 * bytes.
 */
class BodyBuffer {
  readonly #longest: number;
  readonly #reserve: (bytes: number) => boolean;
  #buffer: Buffer = noBytes;
  #length = 0;
  #reserved = 0;
  /** Reason for which the body is refused; undefined if it is not refused. */
  refusal: string | undefined;

  /** @param reserve reserves this many bytes; a negative number returns them */
  constructor(longest: number, reserve: (bytes: number) => boolean) {
    this.#longest = longest;
    this.#reserve = reserve;
  }

  get content(): Buffer {
    return this.#length === this.#buffer.length ? this.#buffer : this.#buffer.subarray(0, this.#length);
  }

  add(chunk: Buffer): void {
    if (this.refusal !== undefined) return;
    const length = this.#length + chunk.length;
    if (length > this.#longest) this.#refuse(`expected a body of at most ${this.#longest} bytes`);
    else if (!this.#fits(length)) this.#refuse('too many large bodies at the same time; try again');
    else {
      chunk.copy(this.#buffer, this.#length);
      this.#length = length;
    }
  }

  free(): void {
    if (this.#reserved > 0) this.#reserve(-this.#reserved);
    this.#reserved = 0;
    this.#buffer = noBytes;
    this.#length = 0;
  }

  #fits(length: number): boolean {
    const size = this.#buffer.length;
    if (length <= size) return true;
    const newSize = Math.min(this.#longest, Math.max(firstBodyBuffer, 2 * size, length));
    if (!this.#reserve(newSize - size)) return false;
    this.#reserved = newSize;
    const grown = Buffer.allocUnsafeSlow(newSize);
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
    return true;
  }

  #refuse(why: string): void {
    this.free();
    this.refusal = why;
  }
}

/** The body is refused; the message says why. Its bytes have been read and dropped. */
export class BodyRefused extends Error {
  override readonly name = 'BodyRefused';
}

/** The connection closed before the body was complete, so there is no client to respond to. */
export class BodyBrokenOff extends Error {
  override readonly name = 'BodyBrokenOff';
}

/** Result of reading a body. */
export type ReadBody = Buffer | BodyRefused | BodyBrokenOff;

/** Reads the bodies of requests. It limits the size of each, and of all unfinished bodies together. */
export class Bodies {
  readonly #longest: number;
  readonly #together: number;
  readonly #clock: Pick<PortClock, 'catchUp'> | undefined;
  readonly #shared: SharedLimit | undefined;
  #held = 0;
  #chunks = 0;

  /** @param clock is updated while hundreds of bodies arrive at once @param shared bytes of all scanners of the process */
  constructor(longest: number, together: number, clock?: Pick<PortClock, 'catchUp'>, shared?: SharedLimit) {
    this.#longest = longest;
    this.#together = together;
    this.#clock = clock;
    this.#shared = shared;
  }

  /** Bytes reserved for unfinished bodies. */
  get held(): number {
    return this.#held;
  }

  /**
   * Reads a request to its end, even if its body is refused, so that the connection can be used again.
   * @param announced its length in bytes, if the request states one
   * @param longest limit in bytes for this body, if it is lower than the general one
   * @throws BodyRefused, BodyBrokenOff
   */
  read(request: IncomingMessage, announced?: number, longest = this.#longest): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.collect(request, announced, longest, (body) => {
        if (body instanceof Error) reject(body);
        else resolve(body);
      });
    });
  }

  /** As `read`, but calls `done` once, at the end of the request: a promise would cost more than a short body. */
  collect(
    request: IncomingMessage,
    announced: number | undefined,
    longest: number,
    done: (body: ReadBody) => void,
  ): void {
    if (request.destroyed) {
      done(new BodyBrokenOff());
      return;
    }
    // Most bodies come as one chunk, which is used without a copy.
    let whole: Buffer | undefined;
    let parts: BodyBuffer | undefined;
    let isDone = false;
    request.on('data', (chunk: Buffer) => {
      if (++this.#chunks % requestsPerClockUpdate === 0) this.#clock?.catchUp();
      if (chunk.length === announced && announced <= longest) whole = chunk;
      else {
        parts ??= new BodyBuffer(longest, this.#reserve);
        parts.add(chunk);
      }
    });
    request.on('end', () => {
      isDone = true;
      done(whole ?? contentOf(parts));
    });
    // Emitted for every request, after its end. Node emits no error for a request that has no listener for it.
    request.on('close', () => {
      if (isDone) return;
      parts?.free();
      done(new BodyBrokenOff());
    });
  }

  /** Reserves bytes of the limit that all bodies share, or returns them if negative. False if too few are left. */
  readonly #reserve = (bytes: number): boolean => {
    if (this.#held + bytes > this.#together) return false;
    if (this.#shared !== undefined && bytes > 0 && !this.#shared.hasRoom(bytes)) return false;
    this.#shared?.add(bytes);
    this.#held += bytes;
    return true;
  };
}

/** Returns the content of a body that is complete, and frees its buffer. */
function contentOf(parts: BodyBuffer | undefined): Buffer | BodyRefused {
  if (parts === undefined) return noBytes;
  const { content, refusal } = parts;
  parts.free();
  return refusal === undefined ? content : new BodyRefused(refusal);
}

/** Content of a POST to the interface, as JSON: the credentials and the payload. */
export interface Payload {
  /** Unparsed; null if it is too long to hold credentials. */
  readonly header: unknown;
  /** Unparsed. Large data is parsed only after its caller is authorised. */
  readonly data: unknown;
}

const nothing: Payload = { header: undefined, data: undefined };

/**
 * Reads the JSON of a POST, whatever its Content-Type. An empty body, `null` and `{}` mean that there is no payload.
 * @param deepest how many objects and arrays may stand within each other
 * @throws Refusal 1 for anything but a JSON object, or one that is nested deeper
 */
export function payloadOf(body: Buffer, deepest: number): Payload {
  const isLarge = body.length > mostBytesParsedAtOnce;
  // Most small bodies are ASCII. It is decoded faster.
  const encoding = !isLarge && isAscii(body) ? 'latin1' : 'utf8';
  if (encoding === 'utf8' && !isUtf8(body)) throw new Refusal('parsingFailed', '', 'the body is not UTF-8');
  try {
    return isLarge ? ofLarge(body, deepest) : ofSmall(body, body.toString(encoding), deepest);
  } catch (error) {
    if (error instanceof NotJson) throw new Refusal('parsingFailed', '', error.message);
    throw error;
  }
}

function ofSmall(body: Buffer, text: string, deepest: number): Payload {
  // Most bodies have fewer brackets than that. Their bytes need not be checked one by one.
  if (hasMoreBrackets(text, deepest) && isDeeper(body, deepest)) throw new TooDeep(deepest);
  if (text.trim() === '') return nothing;
  const json = parse(text);
  if (json === null) return nothing;
  if (!isObject(json)) throw notAnObject();
  return {
    header: Object.hasOwn(json, 'header') ? json.header : undefined,
    data: Object.hasOwn(json, 'data') ? json.data : undefined,
  };
}

/** Returns true if a text contains more opening brackets than this, in strings or outside. */
function hasMoreBrackets(text: string, most: number): boolean {
  let count = 0;
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > most) return true;
    }
  }
  return false;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\{}[]');

/** Returns true if objects and arrays are nested deeper than `deepest`. The result for invalid JSON does not matter. */
export function isDeeper(bytes: Uint8Array, deepest: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === backslash) at++;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === openBrace || byte === openBracket) {
      if (++depth > deepest) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return false;
}

/** Parses the header alone: only the data of authorised callers is parsed. */
function ofLarge(body: Buffer, deepest: number): Payload {
  const { kind, header, data } = scanBody(body, deepest);
  if (kind === 'null' || kind === 'empty') return nothing;
  if (kind === 'other') throw notAnObject();
  return {
    header:
      header !== undefined && header.end - header.begin > longestCredentials ? null : parsed(body, header),
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

function notAnObject(): Refusal {
  return new Refusal('parsingFailed', '', 'the body must be a JSON object');
}
