import { type RawAnswer, type RawPiece, type RawStep, raw } from '../../steps/index.js';

/** Beginning of a read, without the blank line at its end. */
export const getHead = 'GET /api/SerialNumber HTTP/1.1\r\nHost: {host}\r\n';

/** A whole read. */
export const read = `${getHead}\r\n`;

/** Beginning of a POST to getChallenge, without the blank line at its end. */
export const postHead = 'POST /api/getChallenge HTTP/1.1\r\nHost: {host}\r\n';

/** Body of it, 27 bytes. */
export const payload = '{"data":{"user":"Service"}}';

/** Header with the length of it. */
export const length = 'Content-Length: 27\r\n';

/** It in one chunk. */
export const inOneChunk = `1b\r\n${payload}\r\n0\r\n\r\n`;

export const chunked = 'Transfer-Encoding: chunked\r\n';

/** An answer with status 0. */
export const ok: RawAnswer = { status: 0 };

/** Sends something that is no HTTP. It is refused as JSON with status 1, and nothing behind it is answered. */
export function refused(send: RawPiece | readonly RawPiece[], http = 400): RawStep {
  return raw(send, { http, status: 1 }, { closes: true });
}
