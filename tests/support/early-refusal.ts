import { once } from 'node:events';
import { connect } from 'node:net';

/** Bytes of a body that are refused before they have come: more than the buffers of a connection hold. */
const length = 12_000_000;
const piece = Buffer.alloc(64 * 1024);

/** Heads of requests that ask for something else than the scanner does, or that are the last of their connection. */
export const lastRequests: readonly (readonly [what: string, version: string, headers: readonly string[]])[] =
  [
    [
      'h2c, as Java and curl --http2 do',
      '1.1',
      ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'],
    ],
    [
      'a WebSocket',
      '1.1',
      [
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==',
      ],
    ],
    ['another protocol', '1.1', ['Connection: upgrade', 'Upgrade: TLS/1.0']],
    ['the end of the connection', '1.1', ['Connection: close']],
    ['HTTP/1.0', '1.0', []],
  ];

/**
 * Sends all of a request with a large body, even if a response arrives meanwhile.
 * @returns the status of the response
 * @throws if the connection is reset, or ends before the body does
 */
export async function statusWhileSending(
  port: number,
  line: string,
  version: string,
  headers: readonly string[],
): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  let isEnded = false;
  socket.on('data', (part) => {
    received += part.toString('latin1');
  });
  socket.once('end', () => {
    isEnded = true;
  });
  const closed = once(socket, 'close');
  const failed = new Promise<never>((_, reject) => socket.once('error', reject));
  const sent = async () => {
    const head = [
      `${line} HTTP/${version}`,
      `Host: 127.0.0.1:${port}`,
      `Content-Length: ${length}`,
      ...headers,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    for (let left = length; left > 0; left -= piece.length) {
      if (isEnded) throw new Error(`the connection ended ${left} bytes before the body did: ${received}`);
      if (!socket.write(piece.subarray(0, left))) await once(socket, 'drain');
    }
    if (!isEnded) await once(socket, 'end');
    socket.end();
    await closed;
  };
  await Promise.race([sent(), failed]);
  const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
  if (statuses.length !== 1) throw new Error(`expected one answer, got ${received}`);
  return statuses[0] ?? 0;
}
