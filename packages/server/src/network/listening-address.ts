import type { AddressSet, Network } from '@azimuth/device';

/** `simulate`: listeners stay where they are, whatever the settings say; `rebind`: they follow them. */
export type NetworkMode = 'simulate' | 'rebind';

export interface NetworkFacts {
  readonly mode: NetworkMode;
  /** Where to listen in `simulate`, and in `rebind` where the address in force cannot be opened. */
  readonly host: string;
  /** What a DHCP server offers from the start on. */
  readonly dhcp?: AddressSet;
}

/** Decides at which address of this machine the scanner listens. */
export class ListeningAddress {
  /** Where to listen when the address in force cannot be opened and nothing listens yet. */
  readonly otherwise: string;
  readonly #mode: NetworkMode;
  readonly #network: Network;

  constructor({ mode, host }: NetworkFacts, network: Network) {
    this.otherwise = host;
    this.#mode = mode;
    this.#network = network;
  }

  /** Where the scanner should listen; undefined while it has no address. */
  get wanted(): string | undefined {
    if (this.#mode === 'simulate') return this.otherwise;
    const { reachable } = this.#network;
    return reachable.source === 'none' ? undefined : reachable.address.join('.');
  }

  /** Calls `listener` when it may be another one. */
  onChange(listener: () => void): void {
    if (this.#mode === 'rebind') this.#network.onActivated(listener);
  }
}

/**
 * Can one device have this IPv4 address? A machine can open the others too: it listens on all of its addresses then
 * (0.0.0.0), or where nobody can connect (multicast, broadcast).
 */
export function isOfOneDevice(address: string): boolean {
  const first = Number(address.split('.', 1)[0]);
  return first > 0 && first < 224;
}
