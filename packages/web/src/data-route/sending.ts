import { bodyPieces, textIn } from '@azimuth/client';
import { ScanDataFormat } from '@azimuth/model';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ofEachScanner, type ScannerLink } from '../connection/scanner-link.js';
import { Polling } from '../parts/waiting.js';

/** ms between two samples. The scanner updates its counts once a second at most. */
const sampleInterval = 2000;
/** ms for an answer with the counts. */
const answerTimeout = 5000;

/** Streams whose telegrams a scanner counts; of ROS 2, its messages. */
const counted = ['scan', 'imu', 'encoder', 'ros2'] as const;
export type CountedStream = (typeof counted)[number];

/** The counts of a stream that a scanner sends. */
export type Sending =
  | { readonly kind: 'unknown' }
  /** The scanner has no such counts. */
  | { readonly kind: 'unavailable' }
  | {
      readonly kind: 'known';
      readonly sent: SentTelegrams;
      /** Telegrams a second; undefined for the first sample. */
      readonly rate: number | undefined;
      /** True if telegrams were refused, or lost, since the sample before. */
      readonly isRefused: boolean;
      readonly isLosing: boolean;
    };

interface Sample {
  readonly sent: SentTelegrams;
  /** ms */
  readonly at: number;
}

/** Compares two samples of the counts. @param before the sample before, if there was one */
export function sendingOf({ sent, at }: Sample, before: Sample | undefined): Sending {
  // After a restart, the scanner counts from zero.
  if (before === undefined || sent.telegrams < before.sent.telegrams) {
    return { kind: 'known', sent, rate: undefined, isRefused: false, isLosing: false };
  }
  return {
    kind: 'known',
    sent,
    rate: ((sent.telegrams - before.sent.telegrams) * 1000) / (at - before.at),
    isRefused: sent.refused > before.sent.refused,
    isLosing: sent.lost > before.sent.lost,
  };
}

/** Reads the page `/metrics` of a scanner while it is shown. No variable has these counts. */
class MetricsWatch {
  readonly #link: ScannerLink;
  readonly #streams: Signal<ReadonlyMap<CountedStream, Sending>> = signal(new Map());
  /** The counts of the scan data, in the format that the scanner has now. */
  readonly sending: ReadonlySignal<Sending> = computed(() => this.sendingOf(this.#scanStream));
  readonly #page: Signal<string | undefined> = signal(undefined);
  /** The text of the page; undefined while there is none. */
  readonly page: ReadonlySignal<string | undefined> = this.#page;
  readonly #polling = new Polling(sampleInterval, (aborted) => this.#poll(aborted));
  readonly #before = new Map<CountedStream, Sample>();
  #watchers = 0;

  constructor(link: ScannerLink) {
    this.#link = link;
  }

  /** @returns a function that ends the watch; to be called once */
  open(): () => void {
    if (this.#watchers === 0) this.#before.clear();
    this.#watchers++;
    this.#polling.open();
    return () => {
      this.#watchers--;
      if (this.#watchers === 0) this.#polling.close();
    };
  }

  /** The counts of a stream. */
  sendingOf(stream: CountedStream): Sending {
    return this.#streams.value.get(stream) ?? { kind: 'unknown' };
  }

  get #scanStream(): CountedStream {
    const format = this.#link.readings.of('ScanDataFormat').value;
    return format.state === 'known' && format.value === ScanDataFormat.NativeROS2 ? 'ros2' : 'scan';
  }

  async #poll(aborted: AbortSignal): Promise<'over' | undefined> {
    try {
      const signal = AbortSignal.any([aborted, AbortSignal.timeout(answerTimeout)]);
      const response = await fetch(`${this.#link.url}/metrics`, { signal });
      if (response.status === 404) {
        this.#streams.value = new Map(counted.map((stream) => [stream, { kind: 'unavailable' }]));
        return 'over';
      }
      if (response.ok) {
        this.#addPage(await textIn(bodyPieces(response.body), longestPage));
        return undefined;
      }
    } catch {
      // The scanner does not answer: the page shows that elsewhere.
    }
    // Nobody knows whether it still sends as it did.
    if (!aborted.aborted) this.#streams.value = new Map();
    return undefined;
  }

  #addPage(page: string): void {
    this.#page.value = page;
    const at = performance.now();
    this.#streams.value = new Map(counted.map((stream) => [stream, this.#counted(page, stream, at)]));
  }

  #counted(page: string, stream: CountedStream, at: number): Sending {
    const sent = sentTelegramsIn(page, stream);
    if (sent === undefined) {
      this.#before.delete(stream);
      return { kind: 'unavailable' };
    }
    const sample = { sent, at };
    const sending = sendingOf(sample, this.#before.get(stream));
    this.#before.set(stream, sample);
    return sending;
  }
}

/** The counts of the scan data that a scanner sends, one watch for all components of the page. */
export const metricsWatch = ofEachScanner((link) => new MetricsWatch(link));

/** Telegrams that a scanner has sent of a data stream since it started, by its own count. */
interface SentTelegrams {
  /** Sent to the network, counted for each receiver. */
  readonly telegrams: number;
  /** Refused by their destination: no program listened there. */
  readonly refused: number;
  /** Lost for other reasons. */
  readonly lost: number;
  /** Reason why a stream that is on cannot send; undefined if it can send. */
  readonly down: string | undefined;
}

/** A line of the Prometheus text format: name, labels, value. A hostile page has no match beyond the end of a line. */
const sampleLine = /^(\w+)\{([^}\n]*)\} (\d+(?:\.\d+)?(?:e\+?\d{1,2})?)$/gm;

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
  // A product of its own has metrics with another prefix: the one in front of this metric of every scanner.
  const prefix = /^([a-z]\w*_)scanner_info\{/m.exec(page)?.[1] ?? 'azimuth_';
  for (const [, name, labels = '', text] of page.matchAll(sampleLine)) {
    if (labelIn(labels, 'stream') !== stream) continue;
    const value = Number(text);
    const reason = labelIn(labels, 'reason');
    if (name === `${prefix}telegrams_total`) telegrams = value;
    else if (name === `${prefix}stream_down` && value > 0) down = reason;
    else if (name !== `${prefix}telegram_errors_total`) continue;
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
