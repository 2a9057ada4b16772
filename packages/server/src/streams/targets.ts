import { isIPv4 } from 'node:net';
import type { Clock, LinkFaults, Log } from '@azimuth/device';
import type { ListeningAddress, NetworkMode } from '../network/listening-address.js';
import type { Target } from './data-stream.js';
import type { BlockReason, StreamMetrics } from './delivery.js';
import { Sending } from './delivery.js';
import type { TelegramPorts } from './tcp-route.js';
import { TcpRoute } from './tcp-route.js';
import { UdpRoute } from './udp-route.js';

/** The values of Protocol: 1 UDP, 2 TCP. */
export interface Destination {
  readonly Protocol: 1 | 2;
  readonly IPAddress: readonly number[];
  readonly Port: number;
}

/** The stream to send. */
export interface Sender {
  /** What it carries, in words for the log. */
  readonly words: string;
  readonly metrics: StreamMetrics;
}

interface Options {
  readonly mode: NetworkMode;
  /** Where the scanner listens. */
  readonly address: ListeningAddress;
  readonly ports: TelegramPorts;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with unexpected errors of a socket. */
  readonly failed: (error: unknown) => void;
  readonly link?: LinkFaults | undefined;
}

/** Routes to the destinations of streams in the present network of the scanner. */
export class Targets {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  to(destination: Destination, sender: Sender): Target {
    return destination.Protocol === 2 ? this.#byTcp(destination, sender) : this.#byUdp(destination, sender);
  }

  #byTcp({ Port: port }: Destination, sender: Sender): Target {
    const { ports } = this.#options;
    return {
      key: `TCP ${port}`,
      open: (changed) => {
        const sending = this.#sending(sender, `TCP, clients of port ${port}`);
        return port === 0 ? refused(sending) : new TcpRoute(ports.port(port), port, sending, changed);
      },
    };
  }

  #byUdp({ IPAddress, Port: port }: Destination, sender: Sender): Target {
    const { mode, address: own, clock, failed, link } = this.#options;
    const address = IPAddress.join('.');
    const here = own.wanted;
    const from = mode === 'rebind' ? here : undefined;
    return {
      key: `UDP ${address}:${port} ${here}`,
      open: (changed) => {
        // A scanner without an address sends nothing.
        if (here === undefined) return 'no_address';
        const sending = this.#sending(sender, `UDP, ${address}:${port}`);
        if (port === 0) return refused(sending);
        sending.begins();
        const multicastBy = isIPv4(here) && here !== '0.0.0.0' ? here : undefined;
        return new UdpRoute({ address, port, from, multicastBy, sending, clock, changed, failed, link });
      },
    };
  }

  #sending({ words, metrics }: Sender, destination: string): Sending {
    const { clock, log } = this.#options;
    return new Sending({ words, destination, metrics, clock, log });
  }
}

/** Nothing can be sent to port 0. */
function refused(sending: Sending): BlockReason {
  sending.failed('no_port');
  return 'no_port';
}
