/** An address with its subnet and gateway, four bytes each. */
export interface AddressSet {
  readonly address: readonly number[];
  readonly mask: readonly number[];
  readonly gateway: readonly number[];
}

/** The network settings of the scanner. */
export interface NetworkSettings {
  /** `static` uses `address` at once. `DHCP` requests a lease. */
  readonly addressing: 'static' | 'DHCP';
  /** The address of `static`. With `DHCP` it is used if there is no lease and `fallback` is `static`. */
  readonly address: AddressSet;
  readonly fallback: 'static' | 'none';
}

/** The network of the system. */
export interface NetworkHardware {
  /**
   * Puts these settings into force. Called at a boot, and after the response to EthernetUpdate was sent. If it fails, the
   * settings in force stay the old ones.
   */
  apply?(settings: NetworkSettings): void | Promise<void>;
  /** The lease of the DHCP client of the system. Undefined without one. */
  lease?(): AddressSet | undefined;
}
