import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { TelegramSplitter } from '@azimuth/telegrams';
import { connectedSocket } from './connected-socket.js';
import { ReceiveError, Receiver, type ReceiverOptions } from './receiver.js';

export interface UdpOptions extends ReceiverOptions {
  /** The UDP port that the scanner sends to; 0 chooses a free one, see `address`. */
  readonly port: number;
  /** The address of this computer to listen at; all of them by default. */
  readonly host?: string | undefined;
  /** The multicast group to join, if the scanner sends to one. */
  readonly multicast?: string | undefined;
  /** The address of this computer in the network in which the group is joined; by default, the system chooses. */
  readonly multicastInterface?: string | undefined;
}

/** Size of the system's buffer while this program is busy (bytes): half a second of the finest profile. */
const socketBuffer = 4 * 1024 * 1024;

/**
 * Listens for telegrams over UDP, from any sender.
 * @throws ReceiveError if the port or the group cannot be opened; the reason of the signal if it aborts
 */
export async function receiveUdp(options: UdpOptions): Promise<Receiver> {
  const { port, host = '0.0.0.0', multicast, signal } = options;
  signal?.throwIfAborted();
  const label = `UDP port ${port}${options.host === undefined ? '' : ` at ${host}`}`;
  const socket = createSocket({
    type: isIPv6(host) ? 'udp6' : 'udp4',
    // Several programs may receive a group. On a unicast port, each datagram would reach only one of two programs.
    reuseAddr: multicast !== undefined,
  });
  try {
    socket.bind(port, host);
    await once(socket, 'listening');
    if (multicast !== undefined) joined(socket, multicast, options.multicastInterface);
    signal?.throwIfAborted();
  } catch (error) {
    socket.close();
    if (signal?.aborted || !(error instanceof Error)) throw error;
    throw ReceiveError.of(multicast === undefined ? label : `${label}, group ${multicast},`, error);
  }
  enlarge(socket);
  const address = socket.address();
  const receiver = new Receiver({ host: address.address, port: address.port }, options, () => socket.close());
  const to = `${multicast ?? address.address}:${address.port}`;
  socket.on('message', (datagram, { address, port }) => receiver.push(datagram, `${address}:${port}`, to));
  socket.on('error', (error) => receiver.end(ReceiveError.of(label, error)));
  return receiver;
}

function joined(socket: Socket, group: string, at: string | undefined): void {
  if (at === undefined) socket.addMembership(group);
  else socket.addMembership(group, at);
}

/** Sets the size of the buffer. Some systems allow less, or refuse; the receiver still works. */
function enlarge(socket: Socket): void {
  try {
    socket.setRecvBufferSize(socketBuffer);
  } catch {
    // The buffer keeps its size.
  }
}

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
    for (const telegram of splitter.push(chunk)) receiver.push(telegram, `${host}:${port}`, to);
    if (splitter.dropped > dropped) receiver.damaged(1);
    dropped = splitter.dropped;
  });
  socket.on('error', (error) => receiver.end(ReceiveError.of(label, error)));
  socket.on('close', () => receiver.end());
  return receiver;
}
