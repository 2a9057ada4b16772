/** An address with its subnet and gateway, four bytes each. */
export interface AddressSet {
  /** The IPv4 address. */
  readonly address: readonly number[];
  /** The subnet mask: 255, 255, 255, 0. */
  readonly mask: readonly number[];
  /** The gateway; 0, 0, 0, 0 for none. */
  readonly gateway: readonly number[];
}

/** Network settings of the scanner, for the system. */
export interface NetworkSettings {
  /** `static` uses `address` at once. `DHCP` requests a lease. */
  readonly addressing: 'static' | 'DHCP';
  /** The address of `static`. A gateway of 0.0.0.0 is none. With `DHCP` and the fallback `static`, it is used without a lease. */
  readonly address: AddressSet;
  /** What to do with `DHCP` while no server gives a lease: use `address`, or have none. Go on requesting in both cases. */
  readonly fallback: 'static' | 'none';
}

/** The network of the system. */
export interface NetworkHardware {
  /**
   * Puts these settings into force, without waiting for a lease. Called at the start, and after a boot or after the
   * response to EthernetUpdate was sent, if the settings differ from the last ones that were applied. If it throws,
   * rejects or does not end within 30 s, the system should have the old settings: the scanner goes on with them,
   * DeviceStatus is 7, and `Fault` of `/x/network` says why.
   */
  apply?(settings: NetworkSettings): void | Promise<void>;
  /** The present lease of the DHCP client of the system. Undefined without one. Read every second. */
  lease?(): AddressSet | undefined;
}
