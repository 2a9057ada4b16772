import type { CauseName } from './findings.js';
import type { KnownTime } from './known-time.js';
import type { StreamMeasures } from './measures.js';
import type { Stream } from './stream.js';

/** A stream with its measures. */
export interface Judged {
  readonly stream: Stream;
  readonly measures: StreamMeasures;
}

/** What is told of one scanner. */
export interface JudgedScanner {
  /** `scanner 123456789 at 192.168.0.1`. */
  readonly name: string;
  /** Scan data first. */
  readonly streams: readonly Judged[];
  /** What the scanner itself says; undefined if it was not asked. */
  readonly known: KnownTime | undefined;
  /** ms, now. */
  readonly now: number;
  /** Datagrams that could not be read: they are missing in the numbers. */
  readonly damaged: number;
}

/** A finding of one stream, before it has the name of its scanner. */
export interface Found {
  readonly cause: CauseName;
  readonly text: string;
  readonly at?: number | undefined;
  /** Another advice than that of the cause. */
  readonly remedy?: string | undefined;
}
