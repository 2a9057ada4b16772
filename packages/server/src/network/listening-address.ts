import { type AddressSet, isOfOneDevice, type Network } from '@azimuth/device';

/** `simulate`: listeners stay where they are, whatever the settings say; `rebind`: they follow them. */
export type NetworkMode = 'simulate' | 'rebind';

export interface NetworkOptions {
  readonly mode: NetworkMode;
  /** Where to listen in `simulate`, and in `rebind` where the address in force cannot be opened. */
  readonly host: string;
  /** What a DHCP server offers from the start on. */
  readonly dhcp?: AddressSet;
}

/** Decides at which address of this machine the scanner listens. */
export class ListeningAddress {
  /** Where to listen when the address in force cannot be opened and nothing listens yet. */
  readonly fallback: string;
  readonly #mode: NetworkMode;
  readonly #network: Network;

  constructor({ mode, host }: NetworkOptions, network: Network) {
    this.fallback = host;
    this.#mode = mode;
    this.#network = network;
  }

  /**
   * Was it started for this machine alone, and moves? Then nobody without a login may have it move away from loopback.
   */
  get isBoundToLoopback(): boolean {
    return this.#mode === 'rebind' && /^(127\.|::1$|localhost$)/i.test(this.fallback);
  }

  /**
   * Where the scanner should listen, if that is an address that a device can have; `otherwise` always is one. A machine
   * can open others too, and would listen where it must not.
   */
  get openable(): string | undefined {
    const { wanted, fallback } = this;
    if (wanted === undefined || wanted === fallback) return wanted;
    return isOfOneDevice(wanted.split('.').map(Number)) ? wanted : undefined;
  }

  /** Where the scanner should listen; undefined while it has no address. */
  get wanted(): string | undefined {
    if (this.#mode === 'simulate') return this.fallback;
    const { reachable } = this.#network;
    return reachable.source === 'none' ? undefined : reachable.address.join('.');
  }

  /** Calls `listener` when it may be another one. */
  onChange(listener: () => void): void {
    if (this.#mode === 'rebind') this.#network.onActivated(listener);
  }
}
