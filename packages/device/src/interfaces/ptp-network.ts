/** A PTP message as it came. */
export interface PtpDatagram {
  readonly bytes: Uint8Array;
  /** When it came, taken as early as possible: ms of the scanner's `Clock.monotonic`. */
  readonly received: number;
  /** IPv4 address of the sender. */
  readonly from: string;
  /** Was it sent to the scanner alone, and not to the PTP group? */
  readonly isUnicast: boolean;
}

/** Who uses the PTP ports. */
export interface PtpListener {
  /** The ports are open. */
  opened(): void;
  /** They cannot be opened; it is tried again later. `reason` for people. */
  failed(reason: string): void;
  received(datagram: PtpDatagram): void;
}

/** The PTP ports while they are used. */
export interface PtpConnection {
  /**
   * Sends an event message to the group or to one address.
   * @param to IPv4 address; undefined for the group
   * @returns when it was sent (ms of `Clock.monotonic`, taken just before); undefined if it could not be sent
   */
  sendEvent(bytes: Uint8Array, to: string | undefined): number | undefined;
  /** Closes the ports for good. */
  close(): void;
}

/** The network in which PTP masters are. */
export interface PtpNetwork {
  /** Opens the PTP ports; never throws. */
  open(listener: PtpListener): PtpConnection;
}
