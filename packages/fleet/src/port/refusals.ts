import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeAfter } from '@azimuth/http';

/** Why a fleet, or a part of it, refuses a request or a WebSocket. */
export const refusals = {
  starting: 'The fleet is starting.',
  ending: 'This port ends.',
  full: 'Too many connections are open at this port.',
  noWebSocket: 'No WebSocket is here.',
  unknown: 'This fleet has no scanner with this serial number.',
  elsewhere: 'This worker does not run the scanner.',
  worker: 'This is a worker of a fleet: ask a gateway.',
  waiting: 'No worker runs this scanner now. It is started again as soon as one is free.',
  busy: 'The worker of this scanner has too many requests that it has not answered yet.',
  unsigned:
    'The worker of this scanner does not accept the key of this gateway. The same AZIMUTH_FLEET_KEY, and clocks that differ by less than 60 s, are needed on both.',
  unreachable: (reason: string) => `The worker of this scanner cannot be reached: ${reason}`,
  silent: (serial: string, reason: string) => `The scanner ${serial} does not answer: ${reason}`,
};

/** What an error says, for an answer. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** ms after its last answer at which a connection ends, whatever its client does. */
const endsAfter = 1000;

/**
 * Refuses to take a connection over for a WebSocket. It is the last answer there.
 * @param reason for people, on one line
 * @param headers beside those of the body
 */
export function refuseUpgrade(
  socket: Duplex,
  httpStatus: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = `${reason}\n`;
  const all = {
    ...headers,
    Connection: 'close',
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': Buffer.byteLength(body),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${httpStatus} ${STATUS_CODES[httpStatus] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  endSoon(socket);
}

/** Ends a connection that has had its last answer. What its client still sends is read: it would keep the connection for ever. */
export function endSoon(socket: Duplex): void {
  socket.end();
  socket.resume();
  closeAfter(socket, endsAfter);
}
