import type { Duplex } from 'node:stream';

/** The answer to a handshake that is not taken. */
export interface Refusal {
  readonly code: number;
  readonly reason: string;
  readonly text: string;
  /** Lines beside the usual ones. */
  readonly headers?: readonly string[];
}

/** Answers with it, and closes. */
export function refuse(socket: Duplex, { code, reason, text, headers = [] }: Refusal): void {
  socket.on('error', () => socket.destroy());
  const lines = [
    `HTTP/1.1 ${code} ${reason}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text) + 1}`,
    ...headers,
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}\n`);
}
