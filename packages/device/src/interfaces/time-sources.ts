/** The answer of a time server, or why there is none. */
export type TimeResponse =
  | {
      readonly kind: 'time';
      /** ms that the server's UTC is ahead of the UTC of the scanner's `Clock`. */
      readonly ahead: number;
      /** ms that request and answer were under way, the server's own time left out. */
      readonly roundTrip: number;
      /** 1 to 15: how far the server is from a reference clock. */
      readonly stratum: number;
    }
  /** The server asks for fewer requests. */
  | { readonly kind: 'slower' }
  /** The server refuses further requests; `reason` for people. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No usable answer came; `reason` for people. */
  | { readonly kind: 'none'; readonly reason: string };

/** The time servers that the scanner can reach. */
export interface TimeServers {
  /**
   * Asks the server at this IPv4 address once. The promise resolves within seconds of the scanner's clock, whatever the
   * network does. `signal` cancels it: the answer is not used any more.
   */
  request(address: readonly number[], signal: AbortSignal): Promise<TimeResponse>;
}

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
