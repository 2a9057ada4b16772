import {
  AddressingMode,
  allVariables,
  DHCPFallback,
  ethernet,
  networkGroups,
  type Variable,
} from '@azimuth/model';
import type { NetworkSettings } from '../interfaces/hardware/index.js';
import type { ParameterReader, Parameters, ValueSet } from '../parameters/parameters.js';

const { EtherAddressingMode, EtherDHCPFallback, EtherIPAddress, EtherIPGateAddress, EtherIPMask } =
  ethernet.members;

/** Parameters that come into force together, at a boot and at EthernetUpdate. */
export const networkSettings: readonly Variable<unknown>[] = allVariables.filter(
  ({ stored, group }) => stored && networkGroups.includes(group),
);

const names: ReadonlySet<string> = new Set(networkSettings.map(({ name }) => name));

/** The network settings in force. Later writes do not change them. */
export class ActiveSettings implements ParameterReader {
  readonly #values: ValueSet;

  /** Copies `copied` from the working parameters, and all other settings from `before`. */
  constructor(working: Parameters, copied = networkSettings, before?: ActiveSettings) {
    const present = copied.filter((variable) => working.has(variable) || working.isAbsent(variable));
    const values = Object.fromEntries(present.map((variable) => [variable.name, working.read(variable)]));
    this.#values = before === undefined ? values : { ...before.#values, ...values };
  }

  /**
   * The value in force. For a setting that the release does not have, the default of the interface. For one that the
   * product does not have, the value with which it works.
   * @throws TypeError for a variable of another group
   */
  read<T>(variable: Variable<T>): T {
    const { name, type } = variable;
    if (!names.has(name)) throw new TypeError(`${name} is not a network setting`);
    return Object.hasOwn(this.#values, name) ? type.fromJson(this.#values[name], name) : type.initial;
  }

  /** The settings for the system. */
  get forSystem(): NetworkSettings {
    const requestsLease = this.read(EtherAddressingMode) === AddressingMode.TX_IP_DHCP;
    const keepsRequesting = this.read(EtherDHCPFallback) === DHCPFallback.TX_RETRY_DHCP;
    return {
      addressing: requestsLease ? 'DHCP' : 'static',
      address: {
        address: this.read(EtherIPAddress),
        mask: this.read(EtherIPMask),
        gateway: this.read(EtherIPGateAddress),
      },
      fallback: keepsRequesting ? 'none' : 'static',
    };
  }
}
