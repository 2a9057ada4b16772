import { type AddressSet, isOfOneDevice, type Network } from '@azimuth/device';
import type { HostAndPort } from '@azimuth/http';

/** `simulate`: listeners keep their address whatever the settings say; `rebind`: they follow the settings. */
export type NetworkMode = 'simulate' | 'rebind';

export interface NetworkOptions {
  readonly mode: NetworkMode;
  /** The address in `simulate`; in `rebind` the fallback if the address in force cannot be opened. */
  readonly address: string;
  /** The initial offer of the simulated DHCP server. */
  readonly dhcp?: AddressSet | undefined;
}

/** Decides at which address the scanner listens. */
export class ListeningAddress {
  /** The address to use if the address in force cannot be opened and nothing listens yet. */
  readonly fallback: string;
  readonly #mode: NetworkMode;
  readonly #network: Network;

  constructor({ mode, address }: NetworkOptions, network: Network) {
    this.fallback = address;
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
    const { wanted: address, fallback } = this;
    if (address === undefined || address === fallback) return address;
    return isOfOneDevice(address.split('.').map(Number)) ? address : undefined;
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

/** The TCP listeners of a scanner. */
type ListenerName = 'http' | 'https' | 'legacyA' | 'legacyB';

/** Something that listens at an address, while it is open. */
interface Listening {
  readonly listeningAt: HostAndPort | undefined;
}

/** Where the TCP listeners of a scanner listen now, for wires that tell others. Each listener is added by the wire that has it. */
export class ListenerRegistry {
  readonly #listeners = new Map<ListenerName, Listening>();

  add(name: ListenerName, listener: Listening): void {
    this.#listeners.set(name, listener);
  }

  /** Undefined for one that does not listen. */
  of(name: ListenerName): HostAndPort | undefined {
    return this.#listeners.get(name)?.listeningAt;
  }

  /** Null for one that does not listen. */
  portOf(name: ListenerName): number | null {
    return this.of(name)?.port ?? null;
  }
}
