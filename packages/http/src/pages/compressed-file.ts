import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { asDeclared, endInPieces } from '../responses.js';

/** Policy that allows only resources of the scanner, and no script or style in the page itself. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers of all pages for browsers, and of the files that they load. */
const ofPages = {
  'Content-Security-Policy': contentSecurityPolicy,
  ...asDeclared,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/** Content of a file, also compressed. */
export interface CompressedFile {
  readonly plain: Buffer;
  readonly zipped: Buffer;
}

/** Caches values that are made once per process: thousands of scanners may share a process. */
export class PromiseCache<T> {
  readonly #cache = new Map<string, Promise<T>>();

  /** Returns the value for this key. If it cannot be made, the next caller tries again. */
  async of(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.#cache.set(key, value);
    try {
      return await value;
    } catch (error) {
      this.#cache.delete(key);
      throw error;
    }
  }
}

export async function compressedFile(plain: Buffer): Promise<CompressedFile> {
  return { plain, zipped: await promisify(gzip)(plain) };
}

/**
 * Sends a file to a browser, compressed if the browser accepts that.
 * @param headers in addition to those of all pages
 */
export function sendCompressedFile(
  response: ServerResponse,
  { plain, zipped }: CompressedFile,
  headers: Readonly<Record<string, string>>,
): void {
  const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(
    String(response.req.headers['accept-encoding'] ?? ''),
  );
  const body = acceptsGzip ? zipped : plain;
  response.appendHeader('Vary', 'Accept-Encoding');
  response.writeHead(200, {
    'Content-Length': body.length,
    ...(acceptsGzip ? { 'Content-Encoding': 'gzip' } : {}),
    ...ofPages,
    ...headers,
  });
  endInPieces(response, body);
}
