import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@azimuth/device';
import { Bodies, BodyRefused } from '@azimuth/http';
import type { FileTransfer } from '@azimuth/model';
import busboy from 'busboy';
import { largestUploadsAtOnce, mostMultipartOverhead, mostParts, multipartBytesInOneGo } from './limits.js';
import { drain } from './transfer.js';

/** Reads uploaded files with a limited size: the complete body, or a part of a multipart body. */
export class UploadedFiles {
  readonly #part: string;
  readonly #maxBytes: number;
  readonly #bodies: Bodies;

  constructor({ part = 'file', maxBytes = 0 }: FileTransfer) {
    this.#part = part;
    this.#maxBytes = maxBytes;
    const longest = maxBytes + mostMultipartOverhead;
    this.#bodies = new Bodies(longest, largestUploadsAtOnce * longest);
  }

  /**
   * Returns the file of a request. Everything else in the request is read and dropped.
   * @throws PartRefused if there is no file, PartTooLarge, BodyRefused if too many uploads come at once, BodyBrokenOff
   */
  async of(request: IncomingMessage, clock: Clock): Promise<Buffer> {
    const { headers } = request;
    const announced = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
    const isMultipart = /^\s*multipart\//i.test(headers['content-type'] ?? '');
    if (announced !== undefined && announced > this.#maxBytes + (isMultipart ? mostMultipartOverhead : 0)) {
      // Refused early, so that a client need not send 100 MB to learn that the body is too large.
      drain(request, clock);
      throw this.#tooLarge();
    }
    const body = await this.#received(request, announced, clock);
    const file = isMultipart
      ? await partOf(headers, body, { part: this.#part, maxBytes: this.#maxBytes })
      : body;
    if (file.length > this.#maxBytes) throw this.#tooLarge();
    if (file.length === 0) throw new PartRefused('expected a file, got nothing');
    return file;
  }

  async #received(request: IncomingMessage, announced: number | undefined, clock: Clock): Promise<Buffer> {
    let bytes = 0;
    const count = (chunk: Buffer) => {
      clock.catchUp();
      bytes += chunk.length;
    };
    request.on('data', count);
    try {
      return await this.#bodies.read(request, announced);
    } catch (error) {
      if (error instanceof BodyRefused && bytes > this.#maxBytes + mostMultipartOverhead)
        throw this.#tooLarge();
      throw error;
    }
  }

  #tooLarge(): PartTooLarge {
    return new PartTooLarge(`expected a file of at most ${this.#maxBytes} bytes`);
  }
}

/** Error for a body without the expected file. The message states the expected and the actual content. */
export class PartRefused extends Error {
  override readonly name = 'PartRefused';
}

/** Error for a file that exceeds the limit. */
export class PartTooLarge extends Error {
  override readonly name = 'PartTooLarge';
}

interface PartOptions {
  /** Name of the part. */
  readonly part: string;
  readonly maxBytes: number;
}

/**
 * Returns the content of the part with this name in a `multipart/form-data` body, with a file name or without. Parts
 * with other names are skipped.
 * @throws PartRefused if the body is not multipart or not complete, or if it has no such part or several; PartTooLarge
 */
export async function partOf(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { part, maxBytes }: PartOptions,
): Promise<Buffer> {
  const parts: Buffer[][] = [];
  const texts: string[] = [];
  const parser = parserOf(headers, maxBytes);
  const parsed = new Promise<void>((resolve, reject) => {
    const refuse = (why: string) => reject(new PartRefused(why));
    parser.on('file', (name, stream) => {
      if (name === part) parts.push(piecesOf(stream));
      else stream.resume();
      stream.on('limit', () => reject(new PartTooLarge(`expected a file of at most ${maxBytes} bytes`)));
      stream.on('error', (error) => refuse(`the multipart body is broken: ${error.message}`));
    });
    parser.on('field', (name, value, { valueTruncated }) => {
      if (valueTruncated) reject(new PartTooLarge(`expected a file of at most ${maxBytes} bytes`));
      if (name === part) texts.push(value);
    });
    parser.on('partsLimit', () => refuse(`expected at most ${mostParts} parts`));
    parser.on('error', (error) =>
      refuse(`the multipart body is broken: ${error instanceof Error ? error.message : String(error)}`),
    );
    parser.on('close', resolve);
  });
  void feed(parser, body);
  await parsed;
  for (const text of texts) parts.push([bytesOf(text, body)]);
  const [pieces, ...others] = parts;
  if (pieces === undefined) throw new PartRefused(`expected a part named ${part}, got none`);
  if (others.length > 0) throw new PartRefused(`expected one part named ${part}, got ${parts.length}`);
  return Buffer.concat(pieces);
}

/** Parsed in pieces: 16 MiB at once would block all other requests for a tenth of a second. */
async function feed(parser: busboy.Busboy, body: Buffer): Promise<void> {
  for (let at = 0; at < body.length && !parser.destroyed; at += multipartBytesInOneGo) {
    parser.write(body.subarray(at, at + multipartBytesInOneGo));
    await setImmediate();
  }
  if (!parser.destroyed) parser.end();
}

function parserOf(headers: IncomingHttpHeaders, maxBytes: number): busboy.Busboy {
  try {
    return busboy({
      headers,
      // Busboy decodes a part without a file name as text: Latin-1 preserves its bytes.
      defCharset: 'latin1',
      // Busboy reports a limit that is reached, not one that is exceeded.
      limits: { fileSize: maxBytes + 1, fieldSize: maxBytes + 1, parts: mostParts + 1 },
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PartRefused(`expected a multipart/form-data body with a boundary: ${why}`);
  }
}

/** Returns the chunks of a stream, as they arrive. */
function piecesOf(stream: Readable): Buffer[] {
  const pieces: Buffer[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece));
  return pieces;
}

/**
 * Returns the bytes of a part that busboy decoded as text, either as Latin-1 or by the charset that the part names. A
 * comparison with the body shows which.
 */
function bytesOf(value: string, body: Buffer): Buffer {
  const original = [Buffer.from(value, 'latin1'), Buffer.from(value)].find((bytes) => body.includes(bytes));
  if (original === undefined) throw new PartRefused('expected a part in UTF-8 or without a charset');
  return original;
}
