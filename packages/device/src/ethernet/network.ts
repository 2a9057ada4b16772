import { isDeepStrictEqual } from 'node:util';
import {
  AddressingMode,
  allVariables,
  DHCPFallback,
  ethernet,
  networkGroups,
  type Variable,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature, method } from '../feature.js';
import type { Identity } from '../identity/identity.js';
import type { AddressSet } from '../interfaces/hardware/index.js';
import type { ParameterReader, Parameters, ValueSet } from '../parameters/parameters.js';

const members = ethernet.members;

interface Options {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly identity: Identity;
}

/** The address of the scanner. `none` while it requests one by DHCP without success. */
type Reachable = (AddressSet & { readonly source: 'static' | 'DHCP' }) | { readonly source: 'none' };

/**
 * True if one device can have this IPv4 address. Programs can listen at others, too. But 0.0.0.0 means all addresses of
 * the machine, and nobody can connect to multicast and broadcast addresses.
 */
export function isOfOneDevice([first = 0]: readonly number[]): boolean {
  return first > 0 && first < 224;
}

const noLease: AddressSet = {
  address: members.EtherIPAddressDHCP.type.initial,
  mask: members.EtherIPMaskDHCP.type.initial,
  gateway: members.EtherIPGateAddressDHCP.type.initial,
};

/**
 * The network settings in force. DHCP is simulated: a lease comes from outside. It is used while the addressing mode in
 * force requests one, even if the scanner has its static address as a fallback.
 */
export class Network implements Feature {
  readonly computed = [
    computed(members.EtherMACAddress, () => this.#options.identity.macAddress),
    computed(members.EtherIPAddressDHCP, () => this.lease.address),
    computed(members.EtherIPMaskDHCP, () => this.lease.mask),
    computed(members.EtherIPGateAddressDHCP, () => this.lease.gateway),
  ];
  readonly methods = [
    method(members.EthernetUpdate, (_, { afterwards }) => {
      afterwards(() => this.activate());
      return {};
    }),
  ];
  readonly #options: Options;
  readonly #listeners = new Set<(reachable: Reachable) => void>();
  #active: ActiveSettings;
  #offer: AddressSet | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#active = new ActiveSettings(options.parameters);
  }

  boot(): void {
    this.activate();
  }

  /** The settings in force, of the groups Ethernet and Legacy protocols. */
  get active(): ActiveSettings {
    return this.#active;
  }

  /** The address from DHCP. The defaults of the interface if there is none. */
  get lease(): AddressSet {
    return this.#lease ?? noLease;
  }

  get reachable(): Reachable {
    const lease = this.#lease;
    if (lease !== undefined) return { ...lease, source: 'DHCP' };
    const keepsRequesting = this.#active.read(members.EtherDHCPFallback) === DHCPFallback.TX_RETRY_DHCP;
    if (this.#requestsLease && keepsRequesting) return { source: 'none' };
    return {
      address: this.#active.read(members.EtherIPAddress),
      mask: this.#active.read(members.EtherIPMask),
      gateway: this.#active.read(members.EtherIPGateAddress),
      source: 'static',
    };
  }

  /** Calls `listener` when settings come into force, or when the DHCP offer changes. */
  onActivated(listener: (reachable: Reachable) => void): void {
    this.#listeners.add(listener);
  }

  /** Sets the present offer of a DHCP server. Undefined: no offer. */
  offer(lease: AddressSet | undefined): void {
    this.#follow(() => {
      this.#offer = lease;
    });
  }

  /** Puts the working settings into force: all settings, or only these. */
  activate(these?: readonly Variable<unknown>[]): void {
    const { parameters } = this.#options;
    this.#follow(() => {
      this.#active =
        these === undefined
          ? new ActiveSettings(parameters)
          : new ActiveSettings(parameters, these, this.#active);
    });
  }

  get #requestsLease(): boolean {
    return this.#active.read(members.EtherAddressingMode) === AddressingMode.TX_IP_DHCP;
  }

  get #lease(): AddressSet | undefined {
    return this.#requestsLease ? this.#offer : undefined;
  }

  #follow(change: () => void): void {
    const before = this.lease;
    change();
    const after = this.lease;
    const follows = [
      { variable: members.EtherIPAddressDHCP, part: 'address' },
      { variable: members.EtherIPMaskDHCP, part: 'mask' },
      { variable: members.EtherIPGateAddressDHCP, part: 'gateway' },
    ] as const;
    const changed = follows.filter(({ part }) => !isDeepStrictEqual(before[part], after[part]));
    this.#options.announcements.changed(changed.map(({ variable }) => variable));
    for (const listener of this.#listeners) listener(this.reachable);
  }
}

/** Parameters that come into force together, at a boot and at EthernetUpdate. */
export const networkSettings: readonly Variable<unknown>[] = allVariables.filter(
  ({ stored, group }) => stored && networkGroups.includes(group),
);

/** The network settings in force. Later writes do not change them. */
class ActiveSettings implements ParameterReader {
  readonly #values: ValueSet;

  /** Copies `names` from the working parameters, and all other settings from `before`. */
  constructor(working: Parameters, names = networkSettings, before?: ActiveSettings) {
    const present = names.filter((variable) => working.has(variable));
    const values = Object.fromEntries(present.map((variable) => [variable.name, working.read(variable)]));
    this.#values = before === undefined ? values : { ...before.#values, ...values };
  }

  /**
   * The value in force. For a setting that the release does not have, the default of the interface.
   * @throws TypeError for a variable of another group
   */
  read<T>(variable: Variable<T>): T {
    const { name, type } = variable;
    if (!networkSettings.some((setting) => setting.name === name))
      throw new TypeError(`${name} is not a network setting`);
    return Object.hasOwn(this.#values, name) ? type.fromJson(this.#values[name], name) : type.initial;
  }
}
