import type { Framing } from '@azimuth/telegrams/legacy';

/** One session that has asked for scan data as events. */
export interface ScanSink {
  /** How its telegrams are framed: as its request was. */
  readonly framing: Framing;
  /**
   * Sends an event, framed and whole (`sSN LMDscandata …`). The bytes may be shared with other sinks, and must not be
   * changed any more. False where the session is busy: then the telegram is lost to it. A session that takes nothing for
   * EtherSessionTimeout while something waits is closed by itself.
   */
  send(frame: Uint8Array): boolean;
}

/** What stands behind `sRN LMDscandata` and `sEN LMDscandata`. */
export interface ScanData {
  /** The framed answer to `sRN LMDscandata` (`sRA LMDscandata …`); undefined where there is no scan to tell of: sFA 14. */
  poll(framing: Framing): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Sends a telegram for each scan from now on, until it is stopped. The acknowledgement has gone out already. */
  subscribe(sink: ScanSink): () => void;
}
