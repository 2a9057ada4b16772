import { isDeepStrictEqual } from 'node:util';
import { ethernet, extensions, NetworkSource, type NetworkState, type Variable } from '@azimuth/model';
import type { Announcements } from '../announcements.js';
import { faultText } from '../fault-text.js';
import { computed, type Feature, method } from '../feature.js';
import type { ContainedHardware } from '../hardware/contained-hardware.js';
import type { Containment } from '../hardware/contained-sensor.js';
import type { Identity } from '../identity/identity.js';
import type { AddressSet } from '../interfaces/hardware/index.js';
import type { Parameters } from '../parameters/parameters.js';
import { ActiveSettings, networkSettings } from './active-settings.js';
import { SystemNetwork } from './system-network.js';

const members = ethernet.members;
const { network: state } = extensions.members;

interface Options extends Containment {
  readonly parameters: Parameters;
  readonly announcements: Announcements;
  readonly identity: Identity;
  readonly hardware: Pick<ContainedHardware, 'parts' | 'lease'>;
}

/** The address of the scanner. `none` while it requests one by DHCP without success. */
type Reachable = (AddressSet & { readonly source: 'static' | 'DHCP' }) | { readonly source: 'none' };

const noLease: AddressSet = {
  address: members.EtherIPAddressDHCP.type.initial,
  mask: members.EtherIPMaskDHCP.type.initial,
  gateway: members.EtherIPGateAddressDHCP.type.initial,
};

/**
 * The network settings in force, and the address that follows from them. The lease comes from the hardware. It is used
 * while the addressing mode in force requests one, even if the scanner has its static address as a fallback.
 */
export class Network implements Feature {
  readonly computed = [
    computed(members.EtherMACAddress, () => this.#options.identity.macAddress),
    computed(members.EtherIPAddressDHCP, () => this.lease.address),
    computed(members.EtherIPMaskDHCP, () => this.lease.mask),
    computed(members.EtherIPGateAddressDHCP, () => this.lease.gateway),
    computed(state, () => this.state),
  ];
  readonly methods = [
    method(members.EthernetUpdate, (_, { afterwards }) => {
      afterwards(() => this.activate());
      return {};
    }),
  ];
  readonly readAtBoot = networkSettings;
  readonly #options: Options;
  readonly #listeners = new Set<(reachable: Reachable) => void>();
  readonly #system: SystemNetwork;
  #active: ActiveSettings;
  /** The settings that are in force or about to be. */
  #wanted: ActiveSettings;
  /** The lease of the system, even if the scanner does not request one. */
  #lease: AddressSet | undefined;
  #problem = '';
  #isFirstBoot = true;

  constructor(options: Options) {
    this.#options = options;
    this.#active = new ActiveSettings(options.parameters);
    this.#wanted = this.#active;
    this.#system = new SystemNetwork({
      ...options,
      network: options.hardware.parts.network,
      applied: (settings) => this.#applied(settings),
      failed: (reason) => this.#failed(reason),
    });
  }

  boot(): void {
    this.#lease = this.#options.hardware.lease();
    // Nothing else was in force in this process: the stored settings are, even if the system refuses them.
    if (this.#isFirstBoot) this.#active = new ActiveSettings(this.#options.parameters);
    this.#isFirstBoot = false;
    this.activate();
  }

  end(): void {
    this.#system.end();
  }

  /** Remembers the settings in force, and the lease. */
  remember(): () => void {
    const [active, lease, problem] = [this.#active, this.#lease, this.#problem];
    return () => {
      if (this.#lease !== lease || this.#problem !== problem)
        this.#follow(() => {
          this.#lease = lease;
          this.#problem = problem;
        });
      if (this.#active === active && this.#wanted === active) return;
      this.#wanted = active;
      this.#system.apply(active);
    };
  }

  /** The settings in force, of the groups Ethernet and Legacy protocols. */
  get active(): ActiveSettings {
    return this.#active;
  }

  /** The address from DHCP. The defaults of the interface if there is none. */
  get lease(): AddressSet {
    return this.#usedLease ?? noLease;
  }

  get reachable(): Reachable {
    const lease = this.#usedLease;
    if (lease !== undefined) return { ...lease, source: 'DHCP' };
    const { addressing, fallback, address } = this.#active.forSystem;
    if (addressing === 'DHCP' && fallback === 'none') return { source: 'none' };
    return { ...address, source: 'static' };
  }

  get state(): NetworkState {
    const { reachable } = this;
    const Fault = this.#problem;
    if (reachable.source === 'none') return { ...state.type.initial, Source: NetworkSource.NONE, Fault };
    return {
      Source: reachable.source === 'DHCP' ? NetworkSource.DHCP : NetworkSource.STATIC,
      Address: [...reachable.address],
      Mask: [...reachable.mask],
      Gateway: [...reachable.gateway],
      Fault,
    };
  }

  /** Fulfilled when the system has put the settings into force, or has failed to. */
  get settled(): Promise<void> {
    return this.#system.settled;
  }

  /** Calls `listener` when settings come into force, or when the lease changes. */
  onActivated(listener: (reachable: Reachable) => void): void {
    this.#listeners.add(listener);
  }

  /** Called when the hardware may have another lease. */
  leaseChanged(): void {
    const lease = this.#options.hardware.lease();
    if (isDeepStrictEqual(lease, this.#lease)) return;
    this.#follow(() => {
      this.#lease = lease;
    });
  }

  /**
   * Puts the working settings into force: all settings, or only these. They are in force when the system has applied
   * them.
   */
  activate(these?: readonly Variable<unknown>[]): void {
    const { parameters } = this.#options;
    this.#wanted =
      these === undefined
        ? new ActiveSettings(parameters)
        : new ActiveSettings(parameters, these, this.#wanted);
    this.#system.apply(this.#wanted);
  }

  #applied(settings: ActiveSettings): void {
    this.#follow(() => {
      this.#active = settings;
      this.#problem = '';
    });
  }

  #failed(reason: string): void {
    this.#follow(() => {
      this.#wanted = this.#active;
      this.#problem = faultText(`the settings could not be applied: ${reason.replace(/^Error: /, '')}`);
    });
  }

  get #usedLease(): AddressSet | undefined {
    return this.#active.forSystem.addressing === 'DHCP' ? this.#lease : undefined;
  }

  #follow(change: () => void): void {
    const before = this.lease;
    const stateBefore = this.state;
    change();
    const after = this.lease;
    const follows = [
      { variable: members.EtherIPAddressDHCP, part: 'address' },
      { variable: members.EtherIPMaskDHCP, part: 'mask' },
      { variable: members.EtherIPGateAddressDHCP, part: 'gateway' },
    ] as const;
    const changed: Variable<unknown>[] = follows
      .filter(({ part }) => !isDeepStrictEqual(before[part], after[part]))
      .map(({ variable }) => variable);
    if (!isDeepStrictEqual(this.state, stateBefore)) changed.push(state);
    this.#options.announcements.changed(changed);
    for (const listener of this.#listeners) listener(this.reachable);
  }
}
