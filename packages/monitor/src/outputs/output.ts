import type { LogEntry } from '../log/log-entry.js';
import type { ScannerSnapshot } from '../state/scanner-snapshot.js';

/** Numbers of entries of an output since the monitor started. */
export interface OutputCounts {
  readonly delivered: number;
  /** Entries that were dropped, because too many were waiting. */
  readonly lost: number;
  readonly waiting: number;
}

/** Tells others what is logged: syslog, a webhook, MQTT, mail. None of its methods rejects or waits for the network. */
export interface Output {
  /** Name in metrics and in the log: `syslog`, `webhook`. */
  readonly name: string;
  /** Accepts an entry; it is sent later. */
  accept(entry: LogEntry): void;
  /** Accepts the present state of a scanner, after each look at it. Only outputs that publish states have it. */
  show?(snapshot: ScannerSnapshot): void;
  readonly counts: OutputCounts;
  /** Sends what waits, for at most this many milliseconds, and ends. */
  close(longestMs: number): Promise<void>;
}
