import { isOfOneDevice, type Network } from '@azimuth/device/network-interface';
import type { HostAndPort } from '@azimuth/http';

/** Where a scanner listens. */
export interface NetworkOptions {
  /** Address at which the scanner listens; if it follows the settings, the fallback if the address in force cannot be opened. */
  readonly address: string;
  /** True: the listeners follow the address of the network settings in force. By default, they stay at `address`. */
  readonly follows?: boolean | undefined;
}

/** Decides at which address the scanner listens. */
export class ListeningAddress {
  /** Address to use if the address in force cannot be opened and nothing listens yet. */
  readonly fallback: string;
  /** True if it is the address of the network settings in force. */
  readonly follows: boolean;
  readonly #network: Network;

  constructor({ address, follows = false }: NetworkOptions, network: Network) {
    this.fallback = address;
    this.follows = follows;
    this.#network = network;
  }

  /**
   * True if it follows the settings, but was started on loopback. Clients without a login must not be able to move it
   * away from loopback.
   */
  get isBoundToLoopback(): boolean {
    return this.follows && /^(127\.|::1$|localhost$)/i.test(this.fallback);
  }

  /**
   * Address of the scanner if a device can have it, and the fallback otherwise. This machine may have other addresses
   * too, at which it must not listen.
   */
  get openable(): string | undefined {
    const { inForce: address, fallback } = this;
    if (address === undefined || address === fallback) return address;
    return isOfOneDevice(address.split('.').map(Number)) ? address : undefined;
  }

  /** Address of the scanner; undefined while it has none. */
  get inForce(): string | undefined {
    if (!this.follows) return this.fallback;
    const { reachable } = this.#network;
    return reachable.source === 'none' ? undefined : reachable.address.join('.');
  }

  /** Calls `listener` when the address may have changed. */
  onChange(listener: () => void): void {
    if (this.follows) this.#network.onActivated(listener);
  }
}

/** The TCP listeners of a scanner. */
type ListenerName = 'http' | 'https' | 'legacyA' | 'legacyB';

/** Listener with its address while it is open. */
interface Listening {
  readonly listeningAt: HostAndPort | undefined;
}

/**
 * Addresses of the TCP listeners of a scanner, for wires that announce them. Each listener is added by the wire that
 * has it.
 */
export class ListenerRegistry {
  readonly #listeners = new Map<ListenerName, Listening>();

  add(name: ListenerName, listener: Listening): void {
    this.#listeners.set(name, listener);
  }

  /** Returns the address of a listener; undefined if it does not listen. */
  of(name: ListenerName): HostAndPort | undefined {
    return this.#listeners.get(name)?.listeningAt;
  }

  /** Returns the port of a listener; null if it does not listen. */
  portOf(name: ListenerName): number | null {
    return this.of(name)?.port ?? null;
  }
}
