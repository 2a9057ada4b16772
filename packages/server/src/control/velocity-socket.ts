import type { RemoteInfo, Socket } from 'node:dgram';
import type { ControlledVehicle, Given } from '@azimuth/device/control';
import { ControlRefused } from '@azimuth/device/control';
import type { UnexpectedErrors } from '@azimuth/device/reports';
import { containErrors, PortInUse } from '@azimuth/http';
import { isObject } from '@azimuth/model';
import { isOfLoopback } from '../network/own-networks.js';
import { boundSocket, SenderLimit } from '../network/udp.js';
import type { Wire } from '../wire.js';
import { largestVelocity, velocitiesOfSender, velocitiesTogether } from './limits.js';

const loopback = '127.0.0.1';

/** Floods come in real time, also while the time of the scanner stands still. */
const realTime = { monotonic: () => performance.now() };

interface Options {
  /** Port; 0 for any free one. */
  readonly port: number;
  readonly drive: ControlledVehicle['drive'];
  readonly errors: UnexpectedErrors;
}

/**
 * UDP socket for closed loops, on loopback only: each datagram is a JSON object with a velocity, and its response is the
 * odometry of that moment, or `{"error": …}`. Datagrams beyond the limits get no response. It outlives reboots.
 */
export class VelocitySocket implements Wire {
  readonly #options: Options;
  readonly #limit = new SenderLimit(realTime, velocitiesOfSender, velocitiesTogether);
  #socket: Socket | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Port; null while it is closed. */
  get port(): number | null {
    return this.#socket?.address().port ?? null;
  }

  /** @throws PortTaken */
  async open(): Promise<void> {
    const { port, errors } = this.#options;
    const socket = await boundSocket(port, loopback, false).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new PortInUse(
        `UDP port ${port} on ${loopback} is in use`,
        'Stop the program that uses it, or choose another port with --velocity-port (0: any free port).',
      );
    });
    containErrors(socket, (error) => errors.report('control', error)).on('message', (datagram, from) =>
      errors.contain('control', () => this.#receive(datagram, from)),
    );
    this.#socket = socket;
  }

  close(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }

  async #receive(datagram: Buffer, from: RemoteInfo): Promise<void> {
    if (!isOfLoopback(from.address) || !this.#limit.allows(String(from.port))) return;
    const response = await this.#responseTo(datagram);
    try {
      this.#socket?.send(JSON.stringify(response), from.port, from.address, () => undefined);
    } catch {
      // The socket was closed meanwhile.
    }
  }

  async #responseTo(datagram: Buffer): Promise<object> {
    try {
      return await this.#options.drive(objectIn(datagram));
    } catch (error) {
      if (error instanceof ControlRefused) return { error: error.message };
      throw error;
    }
  }
}

/** @throws ControlRefused */
function objectIn(datagram: Buffer): Given {
  if (datagram.length <= largestVelocity) {
    try {
      const json: unknown = JSON.parse(datagram.toString('utf8'));
      if (isObject(json)) return json;
    } catch {
      // Refused below, as any other JSON that is not an object.
    }
  }
  throw new ControlRefused(`expected a JSON object of at most ${largestVelocity} bytes`);
}
