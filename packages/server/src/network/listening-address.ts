import { type AddressSet, isOfOneDevice, type Network } from '@azimuth/device';

/** `simulate`: listeners keep their address whatever the settings say; `rebind`: they follow the settings. */
export type NetworkMode = 'simulate' | 'rebind';

export interface NetworkOptions {
  readonly mode: NetworkMode;
  /** The address in `simulate`; in `rebind` the fallback if the address in force cannot be opened. */
  readonly host: string;
  /** The initial offer of the simulated DHCP server. */
  readonly dhcp?: AddressSet | undefined;
}

/** Decides at which address the scanner listens. */
export class ListeningAddress {
  /** The address to use if the address in force cannot be opened and nothing listens yet. */
  readonly fallback: string;
  readonly #mode: NetworkMode;
  readonly #network: Network;

  constructor({ mode, host }: NetworkOptions, network: Network) {
    this.fallback = host;
    this.#mode = mode;
    this.#network = network;
  }

  /**
   * Does it follow the settings, but was started on loopback? Then clients without a login must not be able to move it
   * away from loopback.
   */
  get isBoundToLoopback(): boolean {
    return this.#mode === 'rebind' && /^(127\.|::1$|localhost$)/i.test(this.fallback);
  }

  /**
   * The scanner's address if a device can have it, and the fallback otherwise. This machine may have other addresses
   * too, at which it must not listen.
   */
  get openable(): string | undefined {
    const { wanted, fallback } = this;
    if (wanted === undefined || wanted === fallback) return wanted;
    return isOfOneDevice(wanted.split('.').map(Number)) ? wanted : undefined;
  }

  /** The scanner's address; undefined while it has none. */
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
