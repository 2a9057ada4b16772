import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import {
  decodePtp,
  encodePtp,
  type PtpAnnounce,
  PtpFlag,
  type PtpMessage,
  ptpGroup,
} from '@azimuth/telegrams/ptp';
import { onTestFinished } from 'vitest';

/** Two UDP ports that are free at all loopback addresses. */
export async function freePtpPorts(): Promise<{ event: number; general: number }> {
  const sockets = [createSocket('udp4'), createSocket('udp4')];
  const ports: number[] = [];
  for (const socket of sockets) {
    socket.bind(0);
    await once(socket, 'listening');
    ports.push(socket.address().port);
  }
  for (const socket of sockets) socket.close();
  const [event = 0, general = 0] = ports;
  return { event, general };
}

interface Options {
  readonly ports: { readonly event: number; readonly general: number };
  /** ms since 1970 UTC. */
  readonly utc: () => number;
  /** The scanner to which it sends; undefined for the group. */
  readonly to?: string;
  readonly clock?: string;
}

/** A one-step master at 127.0.0.2. It sends when a test says so, and responds to Delay_Req. */
export class PtpMaster {
  /** The requests that came: from which address, and whether to the group. */
  readonly requests: { readonly from: string; readonly toGroup: boolean; readonly bytes: Buffer }[] = [];
  responds = true;
  /** Called with each request. */
  onRequest: (request: Buffer) => void = () => {};
  readonly #options: Options;
  readonly #sockets: Socket[] = [];
  #sequence = 0;

  private constructor(options: Options) {
    this.#options = options;
  }

  static async open(options: Options): Promise<PtpMaster> {
    const master = new PtpMaster(options);
    onTestFinished(() => master.close());
    const { event, general } = options.ports;
    for (const [port, address] of [
      [event, '127.0.0.2'],
      [general, '127.0.0.2'],
      [event, ptpGroup],
    ] as const) {
      const socket = createSocket({ type: 'udp4', reuseAddr: true });
      master.#sockets.push(socket);
      socket.bind({ port, address, exclusive: true });
      await once(socket, 'listening');
      if (address === ptpGroup) socket.addMembership(ptpGroup, '127.0.0.2');
      else socket.setMulticastInterface('127.0.0.2');
      socket.on('message', (bytes, from) => master.#receive(bytes, from, address === ptpGroup));
    }
    return master;
  }

  get clock(): string {
    return this.#options.clock ?? '001122fffe000001';
  }

  announce(fields: Partial<PtpAnnounce> = {}): Promise<void> {
    return this.send({
      ...this.#header,
      kind: 'announce',
      time: { seconds: 0, nanoseconds: 0 },
      utcOffset: 37,
      priority1: 128,
      clockClass: 6,
      clockAccuracy: 0x21,
      variance: 0x4e5d,
      priority2: 128,
      grandmaster: this.clock,
      stepsRemoved: 0,
      timeSource: 0x20,
      ...fields,
    });
  }

  sync(): Promise<void> {
    return this.send({ ...this.#header, kind: 'sync', time: this.#time });
  }

  send(message: PtpMessage): Promise<void> {
    return this.sendBytes(encodePtp(message), message.kind === 'sync' ? 'event' : 'general');
  }

  sendBytes(bytes: Uint8Array, kind: 'event' | 'general'): Promise<void> {
    const { ports, to = ptpGroup } = this.#options;
    const socket = this.#sockets[kind === 'event' ? 0 : 1];
    return new Promise((resolve, reject) => {
      socket?.send(bytes, ports[kind], to, (error) => (error === null ? resolve() : reject(error)));
    });
  }

  close(): void {
    for (const socket of this.#sockets.splice(0)) socket.close();
  }

  #receive(bytes: Buffer, { address }: RemoteInfo, toGroup: boolean): void {
    if (address.startsWith('127.0.0.2') || address.startsWith('127.0.4.')) return;
    this.requests.push({ from: address, toGroup, bytes });
    this.onRequest(bytes);
    const request = decodePtp(bytes);
    if (!this.responds || request.kind !== 'delayRequest') return;
    const { source: requester, sequence } = request;
    void this.send({ ...this.#header, kind: 'delayResponse', sequence, time: this.#time, requester });
  }

  get #header() {
    this.#sequence = (this.#sequence + 1) % 65_536;
    return {
      domain: 0,
      sdoId: 0,
      flags: PtpFlag.ptpTimescale | PtpFlag.utcOffsetValid,
      correction: 0n,
      source: { clock: this.clock, port: 1 },
      sequence: this.#sequence,
      logInterval: 0,
      tlvs: [],
    };
  }

  /** TAI. */
  get #time() {
    const time = this.#options.utc() + 37_000;
    const seconds = Math.floor(time / 1000);
    return { seconds, nanoseconds: Math.floor((time - seconds * 1000) * 1e6) };
  }
}
