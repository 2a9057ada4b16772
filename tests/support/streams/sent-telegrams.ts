import { Socket } from 'node:dgram';
import { decodeTelegram, type Telegram, TelegramError } from '@azimuth/telegrams';
import { onTestFinished, vi } from 'vitest';

/**
 * Calls back with each telegram that sockets of this process send, at the moment at which they do: on a virtual clock, the
 * exact time. Nothing is received, so no time passes on the way.
 * @param damaged called with a datagram that begins like a telegram, and is none
 */
export function watchSentTelegrams(
  sent: (telegram: Telegram, port: number) => void,
  damaged: () => void = () => undefined,
): void {
  const send = vi.spyOn(Socket.prototype, 'send').mockImplementation(function (
    this: Socket,
    ...given: unknown[]
  ) {
    const [bytes] = given;
    const done = given.findLast((value) => typeof value === 'function');
    if (bytes instanceof Uint8Array && bytes.length > 4 && bytes.subarray(0, 4).every((byte) => byte === 2)) {
      pass(bytes, this.remoteAddress().port, sent, damaged);
      if (typeof done === 'function') queueMicrotask(() => done(null, bytes.length));
      return;
    }
    // Probes of the virtual time, and requests to time servers.
    Reflect.apply(realSend, this, given);
  });
  onTestFinished(() => send.mockRestore());
}

const realSend = Socket.prototype.send;

function pass(
  bytes: Uint8Array,
  port: number,
  sent: (telegram: Telegram, port: number) => void,
  damaged: () => void,
): void {
  try {
    sent(decodeTelegram(bytes), port);
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error;
    damaged();
  }
}
