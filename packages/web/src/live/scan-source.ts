import { computed, type ReadonlySignal } from '@preact/signals';
import type { ScannerLink } from '../connection/scanner-link.js';
import { metricsWatch } from '../data-route/sending.js';
import { inTheMiddle, type Placement, placementOf } from '../plan/placement.js';
import { ScanDelay } from './drawing-times.js';
import { ScanFeed } from './scan-feed.js';
import type { ScanHistory, StoredScan } from './scan-history.js';

/** One of the scanners of the live view: its position, its scans, and the destination of its scan data. */
export class ScanSource {
  readonly link: ScannerLink;
  readonly feed: ScanFeed;
  readonly history: ScanHistory;
  /** The middle of the plan, or the mounting position in the machine. */
  readonly placement: ReadonlySignal<Placement>;
  readonly delay = new ScanDelay();
  /** Scans that have come since the last drawing. */
  waiting = 0;
  #endWatch: (() => void) | undefined;

  /**
   * @param arrived called for each scan; it returns true if the scan is stored
   * @param isPlaced true to place it by its mounting position, false to place it in the middle
   */
  constructor(
    link: ScannerLink,
    history: ScanHistory,
    arrived: (source: ScanSource) => boolean,
    isPlaced: ReadonlySignal<boolean>,
  ) {
    this.link = link;
    this.history = history;
    this.placement = computed(() =>
      isPlaced.value ? placementOf(link.value('SensorPosition')) : inTheMiddle,
    );
    this.feed = new ScanFeed(
      () => link.scanner,
      (frame) => {
        if (!arrived(this)) return;
        const now = performance.now();
        this.history.add(frame, now);
        this.delay.arrived(frame.number, frame.time, now);
        this.waiting++;
      },
    );
  }

  open(): void {
    this.feed.open();
    this.#endWatch ??= metricsWatch(this.link).open();
    this.link.gateway?.polling.open();
  }

  close(): void {
    this.feed.close();
    this.#endWatch?.();
    this.#endWatch = undefined;
    this.link.gateway?.polling.close();
  }

  /** The scan of a time (ms, performance.now()); the newest one without a time. */
  scanAt(at: number | undefined): StoredScan | undefined {
    if (at === undefined) return this.history.newest;
    return this.history.scans[this.history.placeAt(at)];
  }
}
