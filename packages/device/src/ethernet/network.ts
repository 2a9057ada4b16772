import { AddressingMode, DHCPFallback, ethernet, type ValueOf, type Variable } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import type { Parameters } from '../parameters/parameters.js';

const members = ethernet.members;

/** An address with its subnet and gateway, four bytes each. */
export interface AddressSet {
  readonly address: readonly number[];
  readonly mask: readonly number[];
  readonly gateway: readonly number[];
}

/** The network settings in force, which the written ones become at a boot and at EthernetUpdate. */
export interface ActiveNetwork extends AddressSet {
  readonly mode: ValueOf<'EtherAddressingMode'>;
  readonly fallback: ValueOf<'EtherDHCPFallback'>;
}

/** What the scanner can be reached under: `none` while it keeps asking for an address and gets none. */
export type Reachable = (AddressSet & { readonly source: 'static' | 'DHCP' }) | { readonly source: 'none' };

const noLease: AddressSet = {
  address: members.EtherIPAddressDHCP.type.initial,
  mask: members.EtherIPMaskDHCP.type.initial,
  gateway: members.EtherIPGateAddressDHCP.type.initial,
};

/**
 * Which network settings are in force. DHCP is simulated: a lease comes from outside, and is taken while the
 * addressing mode in force asks for one.
 */
export class Network {
  readonly #parameters: Parameters;
  readonly #announcements: Announcements;
  readonly #listeners = new Set<(reachable: Reachable) => void>();
  #active: ActiveNetwork = {
    ...noLease,
    mode: AddressingMode.TX_IP_STATIC,
    fallback: DHCPFallback.TX_USE_STATIC_IP,
  };
  #offer: AddressSet | undefined;

  constructor(parameters: Parameters, announcements: Announcements) {
    this.#parameters = parameters;
    this.#announcements = announcements;
  }

  /** The parameters that come into force together. */
  get settings(): readonly Variable<unknown>[] {
    const { EtherIPAddress, EtherIPMask, EtherIPGateAddress, EtherAddressingMode, EtherDHCPFallback } =
      members;
    return [EtherIPAddress, EtherIPMask, EtherIPGateAddress, EtherAddressingMode, EtherDHCPFallback];
  }

  get active(): ActiveNetwork {
    return this.#active;
  }

  /** What DHCP has assigned; the defaults of the interface where it has assigned nothing. */
  get lease(): AddressSet {
    return this.#lease ?? noLease;
  }

  get reachable(): Reachable {
    const { mode, fallback, address, mask, gateway } = this.#active;
    if (mode === AddressingMode.TX_IP_DHCP && this.#lease !== undefined)
      return { ...this.#lease, source: 'DHCP' };
    if (mode === AddressingMode.TX_IP_DHCP && fallback !== DHCPFallback.TX_USE_STATIC_IP)
      return { source: 'none' };
    return { address, mask, gateway, source: 'static' };
  }

  /** Calls `listener` whenever other settings come into force. */
  onActivated(listener: (reachable: Reachable) => void): void {
    this.#listeners.add(listener);
  }

  /** A DHCP server offers an address from now on, or none any more. */
  offer(lease: AddressSet | undefined): void {
    this.#offer = lease;
    this.#tell();
  }

  /** Puts the working settings into force. */
  activate(): void {
    const { EtherIPAddress, EtherIPMask, EtherIPGateAddress, EtherAddressingMode, EtherDHCPFallback } =
      members;
    this.#active = {
      address: this.#parameters.read(EtherIPAddress),
      mask: this.#parameters.read(EtherIPMask),
      gateway: this.#parameters.read(EtherIPGateAddress),
      mode: this.#parameters.read(EtherAddressingMode),
      fallback: this.#parameters.read(EtherDHCPFallback),
    };
    this.#tell();
  }

  get #lease(): AddressSet | undefined {
    return this.#active.mode === AddressingMode.TX_IP_DHCP ? this.#offer : undefined;
  }

  #tell(): void {
    const { EtherIPAddressDHCP, EtherIPMaskDHCP, EtherIPGateAddressDHCP } = members;
    this.#announcements.changed([EtherIPAddressDHCP, EtherIPMaskDHCP, EtherIPGateAddressDHCP]);
    for (const listener of this.#listeners) listener(this.reachable);
  }
}
