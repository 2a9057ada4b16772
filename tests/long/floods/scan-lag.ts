import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Client } from '@azimuth/test-support/client';
import { expectDone } from '@azimuth/test-support/envelope';
import { until } from '@azimuth/test-support/waiting';

/** Where a Compact telegram has its number, and says when it was sent, in µs by the scanner's own clock. */
const sequenceAt = 8;
const transmitTimeAt = 16;

/**
 * How far scan data come late: by what telegrams themselves say of when they were sent, so that it does not matter how
 * busy whoever receives them is.
 */
export class ScanLag {
  readonly #socket: Socket;
  #last: { readonly sequence: bigint; readonly time: bigint } | undefined;
  #worst = 0n;
  count = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (telegram) =>
      this.#take(telegram.readBigUInt64LE(sequenceAt), telegram.readBigUInt64LE(transmitTimeAt)),
    );
  }

  /** Has a scanner send its scan data here. */
  static of(client: Client): Promise<ScanLag> {
    return ScanLag.by(async (name, value) => expectDone(await client.write(name, value)));
  }

  /** The same for whatever writes. */
  static async by(write: (name: string, value: unknown) => Promise<void>): Promise<ScanLag> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.setRecvBufferSize(4 * 2 ** 20);
    const lag = new ScanLag(socket);
    const Port = socket.address().port;
    await write('ScanDataFormat', 2);
    await write('ScanDataEthSettings', { Protocol: 1, IPAddress: [127, 0, 0, 1], Port });
    await write('ScanDataEnable', true);
    await until(() => lag.count > 20);
    lag.reset();
    return lag;
  }

  /** The longest time (ms) between two telegrams since `reset`. */
  get worst(): number {
    return Number(this.#worst) / 1000;
  }

  reset(): void {
    this.#worst = 0n;
    this.count = 0;
  }

  close(): void {
    this.#socket.close();
  }

  /** Between two telegrams of which one in between was lost on the way, nothing is known. */
  #take(sequence: bigint, time: bigint): void {
    this.count++;
    const last = this.#last;
    this.#last = { sequence, time };
    if (last === undefined || sequence !== last.sequence + 1n) return;
    if (time - last.time > this.#worst) this.#worst = time - last.time;
  }
}
