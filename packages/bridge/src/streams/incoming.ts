import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { ReceiveError } from '@azimuth/client/receive';
import { socketBuffer } from './limits.js';

/** Called with what has come, in the turn of the event loop in which it came. @param from `192.168.0.1:2115` */
export type Arrived = (bytes: Uint8Array, from: string, to: string) => void;

/** A port or a connection at which telegrams arrive. */
export interface Incoming {
  readonly address: { readonly host: string; readonly port: number };
  close(): void;
}

export interface UdpIncomingOptions {
  /** The port that the scanner sends to; 0 chooses a free one. */
  readonly port: number;
  /** Address of this computer to listen at; all of them by default. */
  readonly host?: string | undefined;
  /** Group to join, if the scanner sends to one. */
  readonly multicast?: string | undefined;
  /** Keeps the socket open until this promise is settled: a scanner that still sends would find its port closed. */
  readonly closeSocketAfter?: Promise<unknown> | undefined;
  readonly arrived: Arrived;
  /** Called if the socket fails while it is read. */
  readonly failed: (error: Error) => void;
}

/** Listens for datagrams of any sender. @throws ReceiveError if the port or the group cannot be opened */
export async function udpIncoming(options: UdpIncomingOptions): Promise<Incoming> {
  const { port, host = '0.0.0.0', multicast, arrived, failed, closeSocketAfter } = options;
  const label = `UDP port ${port}${options.host === undefined ? '' : ` at ${host}`}`;
  // Several programs may receive a group.
  const socket = createSocket({ type: 'udp4', reuseAddr: multicast !== undefined });
  try {
    // A socket that is bound to one address gets nothing that is sent to a group.
    socket.bind(port, multicast === undefined ? host : '0.0.0.0');
    await once(socket, 'listening');
    if (multicast !== undefined) joinGroup(socket, multicast, options.host);
  } catch (error) {
    socket.close();
    if (!(error instanceof Error)) throw error;
    throw ReceiveError.of(multicast === undefined ? label : `${label}, group ${multicast},`, error);
  }
  enlargeBuffer(socket);
  const address = socket.address();
  const to = `${multicast ?? address.address}:${address.port}`;
  let isClosed = false;
  socket.on('message', (datagram, sender) => {
    if (!isClosed) arrived(datagram, `${sender.address}:${sender.port}`, to);
  });
  socket.on('error', (error) => failed(ReceiveError.of(label, error)));
  const shut = () => socket.close();
  return {
    address: { host: address.address, port: address.port },
    close: () => {
      if (isClosed) return;
      isClosed = true;
      if (closeSocketAfter === undefined) shut();
      else void closeSocketAfter.then(shut, shut);
    },
  };
}

/** Joins a group at the address that the user has named; otherwise the system chooses. */
function joinGroup(socket: Socket, group: string, host: string | undefined): void {
  if (host === undefined) socket.addMembership(group);
  else socket.addMembership(group, host);
}

/** Sets the size of the buffer. Some systems allow less, or refuse; datagrams arrive nevertheless. */
function enlargeBuffer(socket: Socket): void {
  try {
    socket.setRecvBufferSize(socketBuffer);
  } catch {
    // The buffer keeps its size.
  }
}
