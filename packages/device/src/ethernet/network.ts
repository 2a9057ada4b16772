import { ethernet, type ValueOf } from '@azimuth/model';
import type { Parameters } from '../parameters/parameters.js';

const { EtherIPAddress, EtherIPGateAddress, EtherIPMask, EtherAddressingMode, EtherDHCPFallback } =
  ethernet.members;

/** The network settings in force, which the written ones become at a boot and at EthernetUpdate. */
export interface ActiveNetwork {
  readonly address: ValueOf<'EtherIPAddress'>;
  readonly gateway: ValueOf<'EtherIPGateAddress'>;
  readonly mask: ValueOf<'EtherIPMask'>;
  readonly mode: ValueOf<'EtherAddressingMode'>;
  readonly fallback: ValueOf<'EtherDHCPFallback'>;
}

/** Which network settings are in force. */
export class Network {
  readonly #parameters: Parameters;
  readonly #listeners = new Set<(active: ActiveNetwork) => void>();
  #active: ActiveNetwork = {
    address: EtherIPAddress.type.initial,
    gateway: EtherIPGateAddress.type.initial,
    mask: EtherIPMask.type.initial,
    mode: EtherAddressingMode.type.initial,
    fallback: EtherDHCPFallback.type.initial,
  };

  constructor(parameters: Parameters) {
    this.#parameters = parameters;
  }

  get active(): ActiveNetwork {
    return this.#active;
  }

  onActivated(listener: (active: ActiveNetwork) => void): void {
    this.#listeners.add(listener);
  }

  /** Puts the working settings into force. */
  activate(): void {
    this.#active = this.#written();
    for (const listener of this.#listeners) listener(this.#active);
  }

  #written(): ActiveNetwork {
    return {
      address: this.#parameters.read(EtherIPAddress),
      gateway: this.#parameters.read(EtherIPGateAddress),
      mask: this.#parameters.read(EtherIPMask),
      mode: this.#parameters.read(EtherAddressingMode),
      fallback: this.#parameters.read(EtherDHCPFallback),
    };
  }
}
