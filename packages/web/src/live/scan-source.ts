import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { DataState, Gateway } from '../connection/gateway.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { metricsWatch } from '../data-route/sending.js';
import { Looking } from '../parts/waiting.js';
import { inTheMiddle, type Placement, placementOf } from '../plan/placement.js';
import { ScanDelay } from './drawing-times.js';
import { ScanFeed } from './scan-feed.js';
import type { KeptScan, ScanHistory } from './scan-history.js';

/** One of the scanners of the live view: where it is, what it has seen, and where its scan data goes. */
export class ScanSource {
  readonly link: ScannerLink;
  readonly feed: ScanFeed;
  readonly history: ScanHistory;
  /** A single scanner is in the middle of the plan. Several are on one plan, so they are where their machine has them. */
  readonly placement: ReadonlySignal<Placement>;
  /** undefined if the scanner serves this page itself. */
  readonly arrival: Arrival | undefined;
  readonly delay = new ScanDelay();
  /** Scans that have come since the last drawing. */
  waiting = 0;
  #endWatch: (() => void) | undefined;

  /**
   * @param arrived called for each scan; it answers whether the scan is kept
   * @param isAlone whether no other scanner is on the plan
   */
  constructor(
    link: ScannerLink,
    history: ScanHistory,
    arrived: (source: ScanSource) => boolean,
    isAlone: boolean,
  ) {
    this.link = link;
    this.history = history;
    this.placement = computed(() => (isAlone ? inTheMiddle : placementOf(link.value('SensorPosition'))));
    this.arrival = link.gateway && new Arrival(link.gateway);
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
    this.arrival?.open();
  }

  close(): void {
    this.feed.close();
    this.#endWatch?.();
    this.#endWatch = undefined;
    this.arrival?.close();
  }

  /** The scan of a time (ms, performance.now()); the newest one without a time. */
  scanAt(at: number | undefined): KeptScan | undefined {
    if (at === undefined) return this.history.newest;
    return this.history.scans[this.history.placeAt(at)];
  }
}

/** ms between two looks: each one asks the scanner for its settings. */
const lookEvery = 4000;

/** Whether the scan data of a scanner arrives at the local server of `azimuth gui`, and what changes that. */
export class Arrival {
  readonly #gateway: Gateway;
  readonly #state: Signal<DataState | undefined> = signal(undefined);
  /** undefined until it is known. It keeps its value while the scanner or the local server is gone. */
  readonly state: ReadonlySignal<DataState | undefined> = this.#state;
  readonly #following = new Looking(lookEvery, (aborted) => this.#look(aborted));

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  open(): void {
    this.#following.open();
  }

  close(): void {
    this.#following.close();
  }

  /**
   * Makes the scanner send its scan data to this computer.
   * @throws Error with what went wrong, for a person
   */
  async aim(login: { readonly user: string; readonly password: string }): Promise<void> {
    this.#state.value = await this.#gateway.aim(login);
  }

  /** @throws Error with what went wrong, for a person */
  async restore(): Promise<void> {
    this.#state.value = await this.#gateway.restore();
  }

  async #look(aborted: AbortSignal): Promise<'over' | undefined> {
    try {
      const state = await this.#gateway.look();
      if (!aborted.aborted) this.#state.value = state;
      // A scanner with live scans of its own has no use for the rest.
      return state.state === 'live' ? 'over' : undefined;
    } catch {
      // It is gone: the page says so elsewhere.
      return undefined;
    }
  }
}
