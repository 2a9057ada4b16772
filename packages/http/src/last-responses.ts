import { type OutgoingHttpHeader, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { lastResponseLinger } from './limits.js';
import { asDeclared } from './responses.js';

// Responses that node:http does not write: the connection was handed over for an upgrade, or its bytes are not HTTP.

/** Returns the head of a response, as it is written. @param headers names and values alternate */
export function headText(httpStatus: number, headers: readonly OutgoingHttpHeader[]): string {
  let text = `HTTP/1.1 ${httpStatus} ${STATUS_CODES[httpStatus] ?? ''}\r\n`;
  for (let index = 0; index + 1 < headers.length; index += 2)
    text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return `${text}\r\n`;
}

/**
 * Refuses to take a connection over for a WebSocket, with its last response.
 * @param reason for people, on one line
 * @param headers beside those of the body; names and values alternate
 */
export function refuseUpgrade(
  connection: Duplex,
  httpStatus: number,
  reason: string,
  headers: readonly string[] = [],
): void {
  const body = `${reason}\n`;
  const ofBody = ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', Buffer.byteLength(body)];
  const ofAll = [...headers, 'Connection', 'close', ...Object.entries(asDeclared).flat(), ...ofBody];
  connection.on('error', () => connection.destroy());
  endWith(connection, headText(httpStatus, ofAll) + body);
}

/**
 * Ends a connection with its last response, and closes it soon. It is not reset at once: a reset would discard the
 * response while the client still sends. What the client sends is read, because it would keep the connection open for
 * ever.
 */
export function endWith(connection: Duplex, text = ''): void {
  if (connection.writable) connection.end(text);
  connection.resume();
  closeAfter(connection, lastResponseLinger);
}

/** Closes a connection after this many ms, whatever its client does. */
export function closeAfter(connection: Duplex, milliseconds: number): void {
  const limit = setTimeout(() => connection.destroy(), milliseconds).unref();
  connection.once('close', () => clearTimeout(limit));
}
