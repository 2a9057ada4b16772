import { isIPv4 } from 'node:net';
import type { Clock, Log } from '@azimuth/device';
import type { ListeningAddress, NetworkMode } from '../network/listening-address.js';
import type { Way } from './data-stream.js';
import { Sending } from './sending.js';
import type { StreamTally } from './stream-tally.js';
import { TcpRoute } from './tcp-route.js';
import type { TelegramPorts } from './telegram-ports.js';
import { UdpRoute } from './udp-route.js';

/** As the variables of the interface tell it: Protocol 1 UDP, 2 TCP. */
export interface Destination {
  readonly Protocol: 1 | 2;
  readonly IPAddress: readonly number[];
  readonly Port: number;
}

/** The stream that is to go there. */
export interface Sender {
  /** What it carries, in words for the log. */
  readonly words: string;
  readonly tally: StreamTally;
}

interface Facts {
  readonly mode: NetworkMode;
  /** Where the scanner listens. */
  readonly address: ListeningAddress;
  readonly ports: TelegramPorts;
  readonly clock: Clock;
  readonly log: Log;
}

/** Ways to the destinations of streams, as the network of the scanner is now. */
export class Ways {
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  to(destination: Destination, sender: Sender): Way {
    return destination.Protocol === 2 ? this.#byTcp(destination, sender) : this.#byUdp(destination, sender);
  }

  #byTcp({ Port: port }: Destination, sender: Sender): Way {
    const { ports } = this.#facts;
    return {
      key: `TCP ${port}`,
      open: (changed) => {
        const sending = this.#begin(sender, `TCP, clients of port ${port}`, port);
        return sending && new TcpRoute(ports.port(port), port, sending, changed);
      },
    };
  }

  #byUdp({ IPAddress, Port: port }: Destination, sender: Sender): Way {
    const { mode, address: own, clock } = this.#facts;
    const address = IPAddress.join('.');
    const here = own.wanted;
    const from = mode === 'rebind' ? here : undefined;
    return {
      key: `UDP ${address}:${port} ${here}`,
      open: (changed) => {
        // Without an address of its own, a scanner sends nothing.
        if (here === undefined) return undefined;
        const sending = this.#begin(sender, `UDP, ${address}:${port}`, port);
        const multicastBy = isIPv4(here) && here !== '0.0.0.0' ? here : undefined;
        return sending && new UdpRoute({ address, port, from, multicastBy, sending, clock, changed });
      },
    };
  }

  #begin({ words, tally }: Sender, destination: string, port: number): Sending | undefined {
    const { clock, log } = this.#facts;
    const sending = new Sending({ words, destination, tally, clock, log });
    if (port === 0) {
      sending.failed('no_port');
      return undefined;
    }
    log.info(`${words}: sent from now on`, { destination });
    return sending;
  }
}
