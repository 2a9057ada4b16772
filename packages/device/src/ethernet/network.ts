import { isDeepStrictEqual } from 'node:util';
import {
  AddressingMode,
  allVariables,
  DHCPFallback,
  ethernet,
  legacyProtocols,
  type Variable,
} from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { computed, type Feature, method } from '../feature.js';
import type { Identity } from '../identity/identity.js';
import type { ParameterReader, Parameters, ValueSet } from '../parameters/parameters.js';

const members = ethernet.members;

/** What search tools may do. */
const searchSettings = [legacyProtocols.members.EnableColaScan, legacyProtocols.members.EtherLegacyScanMode];

interface Options {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly identity: Identity;
}

/** An address with its subnet and gateway, four bytes each. */
export interface AddressSet {
  readonly address: readonly number[];
  readonly mask: readonly number[];
  readonly gateway: readonly number[];
}

/** What the scanner can be reached under: `none` while it keeps asking for an address and gets none. */
export type Reachable = (AddressSet & { readonly source: 'static' | 'DHCP' }) | { readonly source: 'none' };

/**
 * Can one device have this IPv4 address? A machine can open the others too: it listens on all of its addresses then
 * (0.0.0.0), or where nobody can connect (multicast, broadcast).
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
 * Which network settings are in force. DHCP is simulated: a lease comes from outside, and is taken while the
 * addressing mode in force asks for one, also where the scanner has fallen back to its static address before.
 */
export class Network implements Feature {
  readonly appliedParameters = [
    ...networkSettings.filter(({ group }) => group === ethernet.name),
    ...searchSettings,
  ];
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

  /** The settings of the groups Ethernet and Legacy protocols that are in force. */
  get active(): ActiveSettings {
    return this.#active;
  }

  /** What DHCP has assigned; the defaults of the interface where it has assigned nothing. */
  get lease(): AddressSet {
    return this.#lease ?? noLease;
  }

  get reachable(): Reachable {
    const lease = this.#lease;
    if (lease !== undefined) return { ...lease, source: 'DHCP' };
    const keepsAsking = this.#active.read(members.EtherDHCPFallback) === DHCPFallback.TX_RETRY_DHCP;
    if (this.#asksForLease && keepsAsking) return { source: 'none' };
    return {
      address: this.#active.read(members.EtherIPAddress),
      mask: this.#active.read(members.EtherIPMask),
      gateway: this.#active.read(members.EtherIPGateAddress),
      source: 'static',
    };
  }

  /** Calls `listener` whenever settings come into force, or DHCP offers something else. */
  onActivated(listener: (reachable: Reachable) => void): void {
    this.#listeners.add(listener);
  }

  /** A DHCP server offers an address from now on, or none any more. */
  offer(lease: AddressSet | undefined): void {
    this.#follow(() => {
      this.#offer = lease;
    });
  }

  /** Puts the working settings into force: all of them, or these alone. */
  activate(these?: readonly Variable<unknown>[]): void {
    const { parameters } = this.#options;
    this.#follow(() => {
      this.#active =
        these === undefined
          ? new ActiveSettings(parameters)
          : new ActiveSettings(parameters, these, this.#active);
    });
  }

  get #asksForLease(): boolean {
    return this.#active.read(members.EtherAddressingMode) === AddressingMode.TX_IP_DHCP;
  }

  get #lease(): AddressSet | undefined {
    return this.#asksForLease ? this.#offer : undefined;
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

const groups: readonly string[] = [ethernet.name, legacyProtocols.name];

/** The parameters that come into force together, at a boot and at EthernetUpdate. */
export const networkSettings: readonly Variable<unknown>[] = allVariables.filter(
  ({ stored, group }) => stored && groups.includes(group),
);

/** The network settings as they were when they came into force; what is written later does not touch them. */
class ActiveSettings implements ParameterReader {
  readonly #values: ValueSet;

  /** Takes `taken` from the working parameters; all other settings stay as they were `before`. */
  constructor(working: Parameters, taken = networkSettings, before?: ActiveSettings) {
    const present = taken.filter((variable) => working.has(variable));
    const values = Object.fromEntries(present.map((variable) => [variable.name, working.read(variable)]));
    this.#values = before === undefined ? values : { ...before.#values, ...values };
  }

  /**
   * The value in force; the default of the interface for a setting that the release does not have.
   * @throws TypeError for a variable of another group.
   */
  read<T>(variable: Variable<T>): T {
    const { name, type } = variable;
    if (!networkSettings.some((setting) => setting.name === name))
      throw new TypeError(`${name} is no network setting`);
    return Object.hasOwn(this.#values, name) ? type.fromJson(this.#values[name], name) : type.initial;
  }
}
