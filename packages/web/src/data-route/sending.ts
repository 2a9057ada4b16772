import { piecesOf, textIn } from '@azimuth/client';
import { ScanDataFormat } from '@azimuth/model';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ofEachScanner, type ScannerLink } from '../connection/scanner-link.js';
import { Looking } from '../parts/waiting.js';

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

/** Asks a scanner what it sends, while anybody wants to know. Its page `/metrics` is the only place that says so. */
class SendingWatch {
  readonly #link: ScannerLink;
  readonly #sending: Signal<Sending> = signal({ kind: 'unknown' });
  readonly sending: ReadonlySignal<Sending> = this.#sending;
  readonly #following = new Looking(lookEvery, (aborted) => this.#follow(aborted));
  #before: Look | undefined;
  #watchers = 0;

  constructor(link: ScannerLink) {
    this.#link = link;
  }

  /** @returns what ends the watch; to be called once */
  open(): () => void {
    if (this.#watchers === 0) this.#before = undefined;
    this.#watchers++;
    this.#following.open();
    return () => {
      this.#watchers--;
      if (this.#watchers === 0) this.#following.close();
    };
  }

  async #follow(aborted: AbortSignal): Promise<'over' | undefined> {
    const sent = await this.#look(aborted);
    if (aborted.aborted || sent === undefined) return undefined;
    if (sent === 'untold') {
      this.#sending.value = { kind: 'untold' };
      return 'over';
    }
    const look = { sent, at: performance.now() };
    this.#sending.value = sendingOf(look, this.#before);
    this.#before = look;
    return undefined;
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

/** What a scanner tells about the scan data that it sends: the same for all who ask. */
export const sendingWatch = ofEachScanner((link) => new SendingWatch(link));

/** What a scanner has sent of a data stream since it started, by its own count. */
interface SentTelegrams {
  /** Sent to the network, counted for each receiver. */
  readonly telegrams: number;
  /** Refused by their destination: nobody listened there. */
  readonly refused: number;
  /** Lost for other reasons. */
  readonly lost: number;
  /** Why a stream that is on cannot send; undefined if it can. */
  readonly down: string | undefined;
}

/** A line of the Prometheus text format: name, labels, value. */
const sampleLine = /^(\w+)\{([^}]*)\} ([\d.e+]+)$/gm;

/**
 * Reads the page `/metrics` of a scanner.
 * @param stream the label of the stream: `scan`, `ros2`
 * @returns undefined if the page does not tell about this stream
 */
export function sentTelegramsIn(page: string, stream: string): SentTelegrams | undefined {
  let telegrams: number | undefined;
  let refused = 0;
  let lost = 0;
  let down: string | undefined;
  for (const [, name, labels = '', text] of page.matchAll(sampleLine)) {
    if (labelIn(labels, 'stream') !== stream) continue;
    const value = Number(text);
    const reason = labelIn(labels, 'reason');
    if (name === 'azimuth_telegrams_total') telegrams = value;
    else if (name === 'azimuth_stream_down' && value > 0) down = reason;
    else if (name !== 'azimuth_telegram_errors_total') continue;
    else if (reason === 'refused') refused += value;
    else lost += value;
  }
  return telegrams === undefined ? undefined : { telegrams, refused, lost, down };
}

function labelIn(labels: string, name: string): string | undefined {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1];
}

/** Bytes; the page of one scanner has about 100 KB. */
const longestPage = 1024 * 1024;

/** The answer of a scanner to `/metrics` as a text. @throws if it is longer than any scanner sends */
export function metricsIn(response: Response): Promise<string> {
  return textIn(piecesOf(response.body), longestPage);
}
