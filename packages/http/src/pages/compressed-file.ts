import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { asDeclared, endInPieces } from '../responses.js';

/** Only resources of the scanner, and no script or style in the page itself. */
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

/** Headers of all pages for browsers, and of what they load. */
const ofPages = {
  'Content-Security-Policy': contentSecurityPolicy,
  ...asDeclared,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/** The content of a file, also compressed. */
export interface KeptFile {
  readonly plain: Buffer;
  readonly zipped: Buffer;
}

/** Things that are made once per process: thousands of scanners may share a process. */
export class Kept<T> {
  readonly #kept = new Map<string, Promise<T>>();

  /** What was made for this key. If it cannot be made, the next caller tries again. */
  async of(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#kept.set(key, made);
    try {
      return await made;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }
}

export async function keptFile(plain: Buffer): Promise<KeptFile> {
  return { plain, zipped: await promisify(gzip)(plain) };
}

/** Sends a file to a browser: compressed if it accepts that. @param headers in addition to those of all pages */
export function sendKept(
  response: ServerResponse,
  { plain, zipped }: KeptFile,
  headers: Readonly<Record<string, string>>,
): void {
  const takesZipped = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(
    String(response.req.headers['accept-encoding'] ?? ''),
  );
  const body = takesZipped ? zipped : plain;
  response.appendHeader('Vary', 'Accept-Encoding');
  response.writeHead(200, {
    'Content-Length': body.length,
    ...(takesZipped ? { 'Content-Encoding': 'gzip' } : {}),
    ...ofPages,
    ...headers,
  });
  endInPieces(response, body);
}
