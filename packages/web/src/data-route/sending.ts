import { ScanDataFormat } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { metricsIn } from '../connection/metrics-page.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { pause } from '../parts/pause.js';
import { WhileOpen } from '../parts/while-open.js';
import { type SentTelegrams, sentTelegramsIn } from './sent-telegrams.js';

/** ms between two looks. The scanner counts anew once a second at most. */
const lookEvery = 2000;

/** What a scanner tells about the scan data that it sends. */
export type Sending =
  | { readonly kind: 'unknown' }
  /** This scanner does not tell. */
  | { readonly kind: 'untold' }
  | {
      readonly kind: 'told';
      readonly sent: SentTelegrams;
      /** Telegrams a second; undefined at the first look. */
      readonly rate: number | undefined;
      /** Were telegrams refused, or lost, since the look before? */
      readonly isRefused: boolean;
      readonly isLosing: boolean;
    };

interface Look {
  readonly sent: SentTelegrams;
  /** ms */
  readonly at: number;
}

/** What follows from two looks at the counts. @param before the look before, if there was one */
export function sendingOf({ sent, at }: Look, before: Look | undefined): Sending {
  // After a restart, the scanner counts from zero.
  if (before === undefined || sent.telegrams < before.sent.telegrams) {
    return { kind: 'told', sent, rate: undefined, isRefused: false, isLosing: false };
  }
  return {
    kind: 'told',
    sent,
    rate: ((sent.telegrams - before.sent.telegrams) * 1000) / (at - before.at),
    isRefused: sent.refused > before.sent.refused,
    isLosing: sent.lost > before.sent.lost,
  };
}

const watches = new WeakMap<ScannerLink, SendingWatch>();

/** What a scanner tells about the scan data that it sends: the same for all who ask. */
export function sendingWatch(link: ScannerLink): SendingWatch {
  const watch = watches.get(link) ?? new SendingWatch(link);
  watches.set(link, watch);
  return watch;
}

/** Asks a scanner what it sends, while anybody wants to know. Its page `/metrics` is the only place that says so. */
export class SendingWatch {
  readonly #link: ScannerLink;
  readonly #sending: Signal<Sending> = signal({ kind: 'unknown' });
  readonly #following = new WhileOpen((aborted) => this.#follow(aborted));
  #watchers = 0;

  constructor(link: ScannerLink) {
    this.#link = link;
  }

  get sending(): ReadonlySignal<Sending> {
    return this.#sending;
  }

  /** @returns what ends the watch; to be called once */
  open(): () => void {
    this.#watchers++;
    this.#following.open();
    return () => {
      this.#watchers--;
      if (this.#watchers === 0) this.#following.close();
    };
  }

  async #follow(aborted: AbortSignal): Promise<void> {
    let before: Look | undefined;
    while (!aborted.aborted) {
      const sent = await this.#look(aborted);
      if (aborted.aborted) return;
      if (sent === 'untold') {
        this.#sending.value = { kind: 'untold' };
        return;
      }
      if (sent !== undefined) {
        const look = { sent, at: performance.now() };
        this.#sending.value = sendingOf(look, before);
        before = look;
      }
      await pause(lookEvery, aborted);
    }
  }

  /** @returns undefined if the scanner is gone */
  async #look(aborted: AbortSignal): Promise<SentTelegrams | 'untold' | undefined> {
    const format = this.#link.readings.of('ScanDataFormat').peek();
    const stream = format.state === 'there' && format.value === ScanDataFormat.NativeROS2 ? 'ros2' : 'scan';
    try {
      const response = await fetch(`${this.#link.url}/metrics`, { signal: aborted });
      if (response.status === 404) return 'untold';
      if (!response.ok) return undefined;
      return sentTelegramsIn(await metricsIn(response), stream) ?? 'untold';
    } catch {
      // The scanner is gone: the page says so elsewhere.
      return undefined;
    }
  }
}
