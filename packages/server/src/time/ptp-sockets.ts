import type { RemoteInfo, Socket } from 'node:dgram';
import type { Clock, PtpDatagram } from '@azimuth/device';
import { containErrors } from '@azimuth/http';
import { ptpGroup } from '@azimuth/telegrams/ptp';
import { hearingAt } from '../network/own-networks.js';
import { boundSocket } from '../network/udp.js';

/** Numbers of the two UDP ports. */
export interface PtpPortNumbers {
  /** Port for Sync and Delay_Req. */
  readonly event: number;
  /** Port for all other messages. */
  readonly general: number;
}

interface Options {
  readonly clock: Clock;
  /** IPv4 address of the scanner. Its interface receives from the PTP group and sends to it. */
  readonly host: string;
  readonly ports: PtpPortNumbers;
  readonly received: (datagram: PtpDatagram) => void;
  /** Called with errors that `received` throws. */
  readonly failed: (error: unknown) => void;
}

const everywhere = '0.0.0.0';

/** Address and purpose of a socket. */
interface NetworkInterface {
  readonly port: number;
  readonly address: string;
  /** True if it gets only messages to the group. */
  readonly isGroup: boolean;
  /** True if it has to join the group. */
  readonly joins: boolean;
}

/**
 * Sockets of a PTP slave: for each of the two ports one at the scanner's address, and one at the address of the group.
 * Several scanners of a computer can share the ports.
 */
export class PtpSockets {
  readonly #options: Options;
  readonly #sockets: Socket[] = [];
  /** Socket that sends event messages. */
  #event: Socket | undefined;

  private constructor(options: Options) {
    this.#options = options;
  }

  /** Opens the sockets. Rejects if an address, a port or the group is not available; nothing is open then. */
  static async open(options: Options): Promise<PtpSockets> {
    const sockets = new PtpSockets(options);
    try {
      for (const place of networkInterfaces(options)) await sockets.#listen(place);
      return sockets;
    } catch (error) {
      sockets.close();
      throw error;
    }
  }

  /**
   * Sends an event message.
   * @param to undefined for the group
   * @returns ms of the monotonic clock just before; undefined if it could not be sent
   */
  sendEvent(bytes: Uint8Array, to: string | undefined): number | undefined {
    const { clock, ports } = this.#options;
    try {
      const sent = clock.monotonic();
      // The callback gets the errors of this datagram: any datagram may get lost.
      this.#event?.send(bytes, ports.event, to ?? ptpGroup, () => undefined);
      return sent;
    } catch {
      return undefined;
    }
  }

  close(): void {
    for (const socket of this.#sockets.splice(0)) socket.close();
    this.#event = undefined;
  }

  async #listen({ port, address, isGroup, joins }: NetworkInterface): Promise<void> {
    const { clock, host, ports, received, failed } = this.#options;
    const socket = containErrors(await boundSocket(port, address, true), failed);
    this.#sockets.push(socket);
    const isAccepted = isGroup ? hearingAt(host) : () => true;
    socket.on('message', (bytes: Buffer, from: RemoteInfo) => {
      // Time stamp, taken first: everything before it counts as transmission time.
      const at = clock.monotonic();
      if (!isAccepted(from.address)) return;
      received({ bytes, received: at, from: from.address, isUnicast: !isGroup });
    });
    if (joins) socket.addMembership(ptpGroup, ...interfaceOf(host));
    if (isGroup || port !== ports.event) return;
    this.#event = socket;
    if (host !== everywhere) socket.setMulticastInterface(host);
  }
}

/**
 * Address to bind to. A socket at the address of a group gets no other datagrams. Windows has no such sockets: one
 * socket gets both there.
 */
function networkInterfaces({ host, ports }: Options): readonly NetworkInterface[] {
  const numbers = [ports.event, ports.general];
  if (host === everywhere || process.platform === 'win32') {
    return numbers.map((port) => ({ port, address: host, isGroup: false, joins: true }));
  }
  return numbers.flatMap((port) => [
    { port, address: host, isGroup: false, joins: false },
    { port, address: ptpGroup, isGroup: true, joins: true },
  ]);
}

/** Interface of the group; with all addresses, the system chooses it. */
function interfaceOf(host: string): [] | [string] {
  return host === everywhere ? [] : [host];
}
