import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers';
import type { Clock } from '@azimuth/device';

/** Receives the body of a response in place of the connection. */
interface BodyReceiver {
  /** Returns true if more may come at once; false if `drain` follows. */
  write(piece: Buffer): boolean;
  end(piece: Buffer): void;
}

type Sent = () => void;

/** Hands the body of a response to `receiver`, whichever code writes it. */
function intercept(response: ServerResponse, receiver: BodyReceiver): void {
  Object.assign(response, {
    write: (...given: readonly unknown[]) => {
      const goesOn = receiver.write(pieceIn(given));
      sentIn(given)?.();
      return goesOn;
    },
    end: (...given: readonly unknown[]) => {
      receiver.end(pieceIn(given));
      sentIn(given)?.();
      return response;
    },
  });
}

/** Returns the bytes among the arguments of `write` or `end`; empty if there are none. */
function pieceIn([piece, encoding]: readonly unknown[]): Buffer {
  if (piece instanceof Uint8Array) return Buffer.from(piece.buffer, piece.byteOffset, piece.length);
  if (typeof piece !== 'string') return Buffer.alloc(0);
  return Buffer.from(piece, typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8');
}

function sentIn(given: readonly unknown[]): Sent | undefined {
  return given.find((one): one is Sent => typeof one === 'function');
}

/** Drops the complete response. `ended` is called at its end. */
export function swallow(response: ServerResponse, ended: () => void): void {
  intercept(response, { write: () => true, end: ended });
  Object.assign(response, { flushHeaders: () => undefined });
}

/** Closes the connection when this many bytes of the body are sent, and always before the last one. */
export function truncate(response: ServerResponse, bytes: number): void {
  const write = response.write.bind(response);
  let left = bytes;
  let isCut = false;
  const cut = (last: Buffer) => {
    if (isCut) return;
    isCut = true;
    if (last.length > 0) write(last);
    else response.flushHeaders();
    onceAssigned(response, () => response.req.socket.destroySoon());
  };
  intercept(response, {
    write: (piece) => {
      if (isCut || piece.length > left) {
        cut(piece.subarray(0, left));
        return false;
      }
      left -= piece.length;
      return write(piece);
    },
    end: (piece) => cut(piece.subarray(0, Math.min(left, Math.max(0, piece.length - 1)))),
  });
}

/** Calls `act` when this response is being sent and its written part is on its way. */
function onceAssigned(response: ServerResponse, act: () => void): void {
  const soon = () => setImmediate(act);
  if (response.socket === null) response.once('socket', soon);
  else soon();
}

/** Interval (ms) between two pieces of a slow body, unless a byte takes longer. */
const pieceInterval = 100;

/** Sends the body at this many bytes per second. */
export function slowDown(response: ServerResponse, rate: number, clock: Clock): void {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  const interval = Math.max(pieceInterval, 1000 / rate);
  const most = Math.max(1, Math.round((rate * interval) / 1000));
  let waiting = Buffer.alloc(0);
  let hasEnded = false;
  let cancel: (() => void) | undefined;
  const next = () => {
    cancel = undefined;
    if (response.destroyed) return;
    // Waits for a client that reads even more slowly.
    if (!response.writableNeedDrain) {
      write(waiting.subarray(0, most));
      waiting = waiting.subarray(most);
    }
    goOn();
  };
  const goOn = () => {
    if (waiting.length > 0) cancel ??= clock.after(interval, next);
    else if (hasEnded) end();
    else response.emit('drain');
  };
  response.once('close', () => cancel?.());
  intercept(response, {
    write: (piece) => {
      waiting = Buffer.concat([waiting, piece]);
      cancel ??= clock.after(interval, next);
      return false;
    },
    end: (piece) => {
      waiting = Buffer.concat([waiting, piece]);
      hasEnded = true;
      goOn();
    },
  });
}
