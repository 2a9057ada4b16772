import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A receiver of datagrams. */
export class UdpReceiver {
  readonly telegrams: Buffer[] = [];
  readonly senders: RemoteInfo[] = [];
  readonly #socket: UdpSocket;

  private constructor(socket: UdpSocket) {
    this.#socket = socket;
    socket.on('message', (telegram, sender) => {
      this.telegrams.push(telegram);
      this.senders.push(sender);
    });
  }

  static async open(port = 0, host = '127.0.0.1', group?: string): Promise<UdpReceiver> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(port, host, resolve);
    });
    if (group !== undefined) socket.addMembership(group, '127.0.0.1');
    const receiver = new UdpReceiver(socket);
    onTestFinished(() => receiver.close());
    return receiver;
  }

  get port(): number {
    return this.#socket.address().port;
  }

  #isClosed = false;

  close(): void {
    if (!this.#isClosed) this.#socket.close();
    this.#isClosed = true;
  }
}

/** A client that connects and reads. */
export class TcpReceiver {
  readonly socket: Socket;
  readonly #chunks: Buffer[] = [];
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** @param from the address of the client: any of 127.0.0.0/8 */
  static async open(port: number, host = '127.0.0.1', from = host): Promise<TcpReceiver> {
    const socket = connect({ port, host, localAddress: from });
    onTestFinished(() => {
      socket.destroy();
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new TcpReceiver(socket);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Returns the complete telegrams that have come, cut by the sizes that they state. */
  get telegrams(): readonly Buffer[] {
    const { bytes } = this;
    const telegrams: Buffer[] = [];
    let at = 0;
    for (;;) {
      const size = sizeAt(bytes, at);
      if (size === undefined || at + size > bytes.length) return telegrams;
      telegrams.push(bytes.subarray(at, at + size));
      at += size;
    }
  }
}

function sizeAt(bytes: Buffer, at: number): number | undefined {
  if (bytes.length < at + 32) return undefined;
  if (bytes.readUInt32LE(at) !== 0x02020202) throw new Error(`no telegram begins at ${at}`);
  const type = bytes.readUInt32LE(at + 4);
  if (type === 2) return 64;
  if (type === 1 || type === 4) return 32 + bytes.readUInt32LE(at + 28) + 4;
  throw new Error(`telegrams of type ${type} are not known`);
}
