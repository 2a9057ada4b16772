import type { ServerResponse } from 'node:http';

/** Bytes of an answer that a connection is handed at a time; the next ones when it has taken these. */
export const pieceBytes = 32 * 1024;

/**
 * Ends an answer with these bytes. Of a large one no more than a piece waits at the connection, whoever reads it or
 * not, so that `body` may be shared by all who ask: TLS would copy the whole of it for each.
 */
export function endInPieces(response: ServerResponse, body: Uint8Array): void {
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  let at = 0;
  const goOn = () => {
    if (isForNobody(response)) return;
    if (body.length - at <= pieceBytes) {
      response.end(body.subarray(at));
      return;
    }
    const piece = body.subarray(at, at + pieceBytes);
    at += pieceBytes;
    // A connection that takes a piece at once drains at once: others and timers are to have their turn all the same.
    if (response.write(piece)) setImmediate(goOn);
    else response.once('drain', () => setImmediate(goOn));
  };
  goOn();
}

/** Is whoever this answer is for gone? Then there is nothing to be made. */
export function isForNobody({ destroyed, req }: ServerResponse): boolean {
  return destroyed || req.socket.destroyed;
}
