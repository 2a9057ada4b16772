/** The response of a time server, or the reason why there is none. */
export type TimeResponse =
  | {
      readonly kind: 'time';
      /** Lead of the server's UTC over the UTC of the scanner's `Clock`, in ms. */
      readonly ahead: number;
      /** Round trip in ms of request and response, without the time in the server. */
      readonly roundTrip: number;
      /** 1 to 15: distance of the server from a reference clock. */
      readonly stratum: number;
    }
  /** The server asks for fewer requests. */
  | { readonly kind: 'slower' }
  /** The server refuses further requests; `reason` for people. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No usable response came. `reason` is for people. */
  | { readonly kind: 'none'; readonly reason: string };

/** The time servers within reach of the scanner. */
export interface TimeServers {
  /**
   * Sends one request to the server at this IPv4 address. The promise resolves within seconds of the scanner's clock,
   * regardless of the network. `signal` cancels it: the response is not used any more.
   */
  request(address: readonly number[], signal: AbortSignal): Promise<TimeResponse>;
}

/** A PTP message and its arrival. */
export interface PtpDatagram {
  /** The message. */
  readonly bytes: Uint8Array;
  /**
   * Time of arrival: ms of the scanner's `Clock.monotonic`, with a fraction. Measured as early as possible, or stamped by
   * the network hardware and converted from its clock.
   */
  readonly received: number;
  /** IPv4 address of the sender. */
  readonly from: string;
  /** True if it was sent to the scanner alone, and not to the PTP group. */
  readonly isUnicast: boolean;
}

/** A user of the PTP ports. */
export interface PtpListener {
  /** The ports are open. */
  opened(): void;
  /** Called if the ports cannot be opened. Another attempt follows later. `reason` is for people. */
  failed(reason: string): void;
  /** Called for each message. */
  received(datagram: PtpDatagram): void;
}

/** The open PTP ports. */
export interface PtpConnection {
  /**
   * Sends an event message to the group or to one address.
   * @param to IPv4 address; undefined for the group
   * @returns time of sending (ms of `Clock.monotonic`, measured just before, or as stamped by the network hardware), or a
   * promise of it; undefined if it could not be sent
   */
  sendEvent(bytes: Uint8Array, to: string | undefined): number | undefined | Promise<number | undefined>;
  /** Closes the ports for good. */
  close(): void;
}

/** The network of the PTP masters. */
export interface PtpNetwork {
  /** Opens the PTP ports; never throws. */
  open(listener: PtpListener): PtpConnection;
}
