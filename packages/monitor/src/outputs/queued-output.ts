import { counted } from '@azimuth/model';
import type { MonitorClock } from '../clock.js';
import type { LogEntry } from '../log/log-entry.js';
import { type EntryFilter, passes } from './entry-filter.js';
import type { Output, OutputCounts } from './output.js';
import { type QueueBounds, SendQueue } from './send-queue.js';

/** Accepts what an output has to tell about itself: one line, without secrets. */
export type OutputReport = (text: string) => void;

/** Options of all outputs. */
export interface OutputBasics {
  /** Name in metrics and in reports: `syslog`, or `syslog-2` for another one. */
  readonly name: string;
  readonly clock: MonitorClock;
  readonly filter: EntryFilter;
  readonly report: OutputReport;
  readonly bounds?: QueueBounds | undefined;
  readonly random?: (() => number) | undefined;
}

/** Sends the entries of one output. */
export interface EntrySender {
  /** Sends one entry, as `SendQueueOptions.send`. */
  send(entry: LogEntry, signal: AbortSignal): Promise<void>;
  /** Closes its connection, if it has one. */
  end(): Promise<void>;
}

/** An output that sends each entry by itself: one after the other, in order. */
export class QueuedOutput implements Output {
  readonly name: string;
  readonly #filter: EntryFilter;
  readonly #sender: EntrySender;
  readonly #queue: SendQueue<LogEntry>;

  constructor(sender: EntrySender, { name, filter, report, clock, ...options }: OutputBasics) {
    this.name = name;
    this.#filter = filter;
    this.#sender = sender;
    this.#queue = new SendQueue({
      ...options,
      clock,
      send: (entry, signal) => sender.send(entry, signal),
      bytesOf: bytesOfEntry,
      lossItem: (lost) => lossEntry(clock.now(), lost),
      onChange: (failure) => report(changeText(name, failure)),
    });
  }

  get counts(): OutputCounts {
    return this.#queue.counts;
  }

  accept(entry: LogEntry): void {
    if (passes(this.#filter, entry)) this.#queue.add(entry);
  }

  async close(longestMs: number): Promise<void> {
    await this.#queue.close(longestMs);
    await this.#sender.end();
  }
}

/** About what an entry takes in memory. */
export function bytesOfEntry(entry: LogEntry): number {
  return 2 * JSON.stringify(entry).length;
}

/** The entry that tells how many were dropped before it. */
export function lossEntry(at: number, lost: number): LogEntry {
  const text = `${counted(lost, 'entry', 'entries')} were dropped, because too many were waiting. The log has them`;
  return { kind: 'monitor', at, scanner: '', text };
}

/** Returns what an output tells when it begins to fail, or works again. */
export function changeText(name: string, failure: Error | undefined): string {
  return failure === undefined ? `${name} works again` : `${name} cannot send: ${failure.message}`;
}
