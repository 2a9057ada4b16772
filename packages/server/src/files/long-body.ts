import type { IncomingMessage } from 'node:http';
import { TransferStopped } from '@azimuth/device';
import type { Pace } from './pace.js';

/** The connection went before the body had come, or the client was told that it is too slow: nobody is left to answer. */
export class BodyBrokenOff extends TransferStopped {
  override readonly name = 'BodyBrokenOff';
}

/** More bytes than are taken. The rest is unread. */
export class BodyTooLarge extends TransferStopped {
  override readonly name = 'BodyTooLarge';
}

/**
 * The body of a request as it comes, of any length up to `mostBytes`. What nobody asks for is not read, and makes the
 * client wait. Where it is not read to its end the request is left as it is.
 * @throws BodyTooLarge, BodyBrokenOff
 */
export async function* longBody(
  request: IncomingMessage,
  mostBytes: number,
  pace: Pace,
): AsyncGenerator<Uint8Array> {
  const body = request.iterator({ destroyOnReturn: false });
  let bytes = 0;
  try {
    for (;;) {
      const piece = await next(body, pace);
      if (piece === undefined) return;
      bytes += piece.length;
      if (bytes > mostBytes) throw new BodyTooLarge(`the file has more than ${mostBytes} bytes`);
      yield piece;
    }
  } finally {
    await body.return?.();
  }
}

async function next(body: AsyncIterator<Uint8Array>, pace: Pace): Promise<Uint8Array | undefined> {
  pace.wait();
  try {
    const { done, value } = await body.next();
    const piece: Uint8Array | undefined = done === true ? undefined : value;
    pace.came(piece?.length ?? 0);
    return piece;
  } catch {
    throw new BodyBrokenOff('the connection went before the end of the file');
  } finally {
    pace.end();
  }
}
