import { TelegramSplitter } from '@azimuth/telegrams';
import { connectedSocket } from './connected-socket.js';
import { ReceiveError, Receiver, type ReceiverOptions } from './receiver.js';

export interface TcpOptions extends ReceiverOptions {
  /** The scanner's address. */
  readonly host: string;
  readonly port: number;
  /** Milliseconds for connecting; 10 000 by default. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Connects to a scanner that offers its telegrams over TCP. The loop ends when the scanner closes the connection.
 * @throws UnreachableError if nothing answers; the reason of the signal if it aborts
 */
export async function receiveTcp(options: TcpOptions): Promise<Receiver> {
  const { host, port, signal, timeoutMs = 10_000 } = options;
  const label = `tcp://${host}:${port}`;
  const socket = await connectedSocket({ host, port, label, timeoutMs, signal });
  const receiver = new Receiver({ host, port }, options, () => socket.destroy());
  const splitter = new TelegramSplitter();
  const to = `${socket.localAddress}:${socket.localPort}`;
  let dropped = 0;
  socket.on('data', (chunk) => {
    for (const telegram of splitter.push(chunk)) receiver.take(telegram, `${host}:${port}`, to);
    if (splitter.dropped > dropped) receiver.damaged(1);
    dropped = splitter.dropped;
  });
  socket.on('error', (error) => receiver.end(ReceiveError.of(label, error)));
  socket.on('close', () => receiver.end());
  return receiver;
}
