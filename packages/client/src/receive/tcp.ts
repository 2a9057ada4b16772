import { once } from 'node:events';
import { connect } from 'node:net';
import { TelegramSplitter } from '@azimuth/telegrams';
import { UnreachableError } from '../errors.js';
import { ReceiveError } from './receive-error.js';
import { Receiver, type ReceiverOptions } from './receiver.js';

export interface TcpOptions extends ReceiverOptions {
  /** The scanner's address. */
  readonly host: string;
  readonly port: number;
  /** Milliseconds for connecting; 10 000 where nothing is stated. */
  readonly timeoutMs?: number;
}

/**
 * Connects to a scanner that offers its telegrams over TCP. The loop ends when the scanner closes the connection.
 * @throws UnreachableError where nothing answers; what the signal aborts with, where it is too late
 */
export async function receiveTcp(options: TcpOptions): Promise<Receiver> {
  const { host, port, signal, timeoutMs = 10_000 } = options;
  signal?.throwIfAborted();
  const place = `tcp://${host}:${port}`;
  const socket = connect({ host, port });
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    await once(socket, 'connect', {
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    signal?.throwIfAborted();
    throw new UnreachableError(
      place,
      limit.aborted ? `no answer within ${timeoutMs / 1000} s` : reason(error),
      error,
    );
  }
  const receiver = new Receiver({ host, port }, options, () => socket.destroy());
  const splitter = new TelegramSplitter();
  let dropped = 0;
  socket.on('data', (chunk) => {
    for (const telegram of splitter.push(chunk)) receiver.take(telegram, `${host}:${port}`);
    if (splitter.dropped > dropped) receiver.damaged(1);
    dropped = splitter.dropped;
  });
  socket.on('error', (error) => receiver.end(ReceiveError.of(place, error)));
  socket.on('close', () => receiver.end());
  return receiver;
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
