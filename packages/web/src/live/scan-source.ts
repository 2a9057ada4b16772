import { computed, type ReadonlySignal } from '@preact/signals';
import type { ScannerLink } from '../connection/scanner-link.js';
import { type Placement, placementOf } from './placement.js';
import { ScanFeed } from './scan-feed.js';
import type { KeptScan, ScanHistory } from './scan-history.js';

/** One of the scanners of the live view: where it is, and what it has seen. */
export class ScanSource {
  readonly link: ScannerLink;
  readonly feed: ScanFeed;
  readonly history: ScanHistory;
  readonly placement: ReadonlySignal<Placement>;
  /** Scans that have come since the last drawing. */
  waiting = 0;

  /** @param arrived called for each scan; it answers whether the scan is kept */
  constructor(link: ScannerLink, history: ScanHistory, arrived: (source: ScanSource) => boolean) {
    this.link = link;
    this.history = history;
    this.placement = computed(() => placementOf(link.value('SensorPosition')));
    this.feed = new ScanFeed(
      () => link.scanner,
      (frame) => {
        if (!arrived(this)) return;
        this.history.add(frame, performance.now());
        this.waiting++;
      },
    );
  }

  /** The scan of a time (ms, performance.now()); the newest one without a time. */
  scanAt(at: number | undefined): KeptScan | undefined {
    if (at === undefined) return this.history.newest;
    return this.history.scans[this.history.placeAt(at)];
  }
}
