import type { SharedLimit } from '@azimuth/http';

/** Metrics of events: present numbers, and values since the process started. */
export interface EventCounts {
  connections: number;
  registrations: number;
  /** Characters that wait for slow clients. */
  waiting: number;
  /** Characters that wait for slow clients of all scanners of the process, for which there is a limit, too. */
  readonly waitingOfAll?: SharedLimit | undefined;
  pushed: number;
  throttled: number;
  discarded: number;
}

/** Live scans since the process started, counted for each client. */
export interface LiveScanCounts {
  sent: number;
  /** Scans that were not sent, because the client reads too slowly. */
  discarded: number;
}

/** Characters and bytes of messages that wait in `ws`: to be compressed, or for a client that does not read. */
export interface UnsentTotal {
  length: number;
}

/** Counts of WebSockets as plain values. */
export interface KeptEventMetrics {
  readonly events: Pick<EventCounts, 'pushed' | 'throttled' | 'discarded'>;
  readonly liveScans: Readonly<LiveScanCounts>;
}

/** Counters of the WebSockets of a scanner. */
export class EventMetrics {
  readonly events: EventCounts;
  readonly liveScans: LiveScanCounts = { sent: 0, discarded: 0 };
  /** Counters of all WebSockets. */
  readonly unsent: UnsentTotal = { length: 0 };

  /** @param waitingOfAll characters that wait for slow clients of all scanners of the process */
  constructor(waitingOfAll?: SharedLimit) {
    const counts = { connections: 0, registrations: 0, waiting: 0, pushed: 0, throttled: 0, discarded: 0 };
    this.events = { ...counts, waitingOfAll };
  }

  /** The counts since the start, without what is open or waits now. */
  get kept(): KeptEventMetrics {
    const { pushed, throttled, discarded } = this.events;
    return { events: { pushed, throttled, discarded }, liveScans: this.liveScans };
  }

  /** Goes on from counts of an earlier start. */
  takeUp({ events, liveScans }: KeptEventMetrics): void {
    Object.assign(this.events, events);
    Object.assign(this.liveScans, liveScans);
  }

  /** Sum of the counters. It stays the same while nothing comes and goes. */
  get total(): number {
    return this.events.pushed + this.liveScans.sent - this.unsent.length;
  }
}
