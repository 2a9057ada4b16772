import { pause } from '@azimuth/async';
import {
  ClientError,
  type Frame,
  NoScansError,
  recordingHeader,
  recordOf,
  type Scanner,
} from '@azimuth/client';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** State of the scans of a scanner. */
type FeedState =
  | { readonly kind: 'off' }
  /** Connected or connecting, and no scan has come yet. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running' }
  /** This scanner has no live scans. */
  | { readonly kind: 'absent' }
  /** @property since ms, by performance.now() */
  | { readonly kind: 'lost'; readonly since: number; readonly why: string };

/** Losses since the page was opened. */
interface FeedLosses {
  /** Telegrams that never arrived. */
  readonly telegrams: number;
  /** Scans that arrived, but waited here too long, and were left out. */
  readonly late: number;
}

/** ms after a failure until the next attempt. */
const tryAgainAfter = 3000;
/** Number of arrivals from which the rate is computed. */
const arrivals = 64;
/** ms without a scan after which none is under way. */
const silentAfter = 2000;

/** The live scans of one scanner, while it is open. */
export class ScanFeed {
  /** Gets each telegram as it arrived, during a recording. */
  onTelegram: ((telegram: Uint8Array) => void) | undefined;
  readonly #scanner: () => Scanner;
  readonly #onScan: (frame: Frame) => void;
  readonly #state: Signal<FeedState> = signal({ kind: 'off' });
  readonly state: ReadonlySignal<FeedState> = this.#state;
  readonly #arrivals = new Float64Array(arrivals);
  #received = 0;
  /** Losses of the streams that have ended, and of the open one. */
  #lossesBefore: FeedLosses = { telegrams: 0, late: 0 };
  #lossesNow = (): FeedLosses => ({ telegrams: 0, late: 0 });
  #stop: AbortController | undefined;

  constructor(scanner: () => Scanner, onScan: (frame: Frame) => void) {
    this.#scanner = scanner;
    this.#onScan = onScan;
  }

  /** Scans that came since the page was opened. */
  get received(): number {
    return this.#received;
  }

  get losses(): FeedLosses {
    const [before, now] = [this.#lossesBefore, this.#lossesNow()];
    return { telegrams: before.telegrams + now.telegrams, late: before.late + now.late };
  }

  /** Scans a second now; 0 if none has come for a while. @param now ms, by performance.now() */
  rate(now: number): number {
    const count = Math.min(this.#received, arrivals);
    const last = this.#arrivals[(this.#received - 1) % arrivals] ?? 0;
    if (count < 2 || now - last > silentAfter) return 0;
    const first = this.#arrivals[(this.#received - count) % arrivals] ?? 0;
    return last > first ? ((count - 1) * 1000) / (last - first) : 0;
  }

  open(): void {
    if (this.#stop !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#state.value = { kind: 'waiting' };
    void this.#follow(stop.signal);
  }

  close(): void {
    this.#stop?.abort();
    this.#stop = undefined;
    this.#endStream();
    this.#state.value = { kind: 'off' };
  }

  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const scans = this.#scanner().scans({
          signal,
          onTelegram: (telegram) => this.onTelegram?.(telegram),
          onState: (state, reason) => {
            if (state === 'lost') this.#lostBecause(reason);
            else this.#state.value = { kind: 'waiting' };
          },
        });
        this.#lossesNow = () => ({ telegrams: scans.losses.telegrams, late: scans.dropped });
        for await (const frame of scans) this.#add(frame);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof ClientError)) throw error;
        if (error instanceof NoScansError) {
          this.#state.value = { kind: 'absent' };
          return;
        }
        this.#lostBecause(error.message);
      }
      if (signal.aborted) return;
      this.#endStream();
      await pause(tryAgainAfter, signal);
    }
  }

  #endStream(): void {
    this.#lossesBefore = this.losses;
    this.#lossesNow = () => ({ telegrams: 0, late: 0 });
  }

  #lostBecause(why: string): void {
    if (this.#state.peek().kind !== 'lost')
      this.#state.value = { kind: 'lost', since: performance.now(), why };
  }

  #add(frame: Frame): void {
    this.#arrivals[this.#received % arrivals] = performance.now();
    this.#received++;
    if (this.#state.peek().kind !== 'running') this.#state.value = { kind: 'running' };
    this.#onScan(frame);
  }
}

/** Largest number of bytes of a recording: it stays in memory until it is saved. */
const mostRecorded = 256 * 1024 * 1024;
/** Bytes that are collected before they are put into a Blob, which a browser may keep on disk. */
const blobEvery = 4 * 1024 * 1024;

/** Progress of a recording. */
interface RecordingProgress {
  readonly telegrams: number;
  readonly bytes: number;
  /** True if the recording ended by itself, because it was too large. */
  readonly isFull: boolean;
}

/** Telegrams of one scanner as a file, the way `azimuth record` writes it. */
export class ScanRecording {
  readonly #feed: ScanFeed;
  readonly #progress: Signal<RecordingProgress> = signal({ telegrams: 0, bytes: 0, isFull: false });
  readonly progress: ReadonlySignal<RecordingProgress> = this.#progress;
  #content = new Blob([]);
  #parts: BlobPart[] = [];
  #pending = 0;

  /** Begins. @param facts stand at the beginning of the file: where the telegrams come from, and the serial number */
  constructor(feed: ScanFeed, facts: { readonly source: string; readonly serial: number | undefined }) {
    this.#feed = feed;
    this.#add(copyOf(recordingHeader({ made: new Date().toISOString(), ...facts })));
    feed.onTelegram = (telegram) => this.#addTelegram(telegram);
  }

  /** Ends it. @returns the file */
  end(): Blob {
    this.#feed.onTelegram = undefined;
    return new Blob([this.#content, ...this.#parts], { type: 'application/octet-stream' });
  }

  #addTelegram(telegram: Uint8Array): void {
    const { telegrams, bytes } = this.#progress.peek();
    const record = copyOf(recordOf(Date.now() * 1000, telegram));
    if (bytes + record.length > mostRecorded) {
      this.#feed.onTelegram = undefined;
      this.#progress.value = { telegrams, bytes, isFull: true };
      return;
    }
    this.#add(record);
    this.#progress.value = { telegrams: telegrams + 1, bytes: bytes + record.length, isFull: false };
  }

  #add(bytes: Uint8Array<ArrayBuffer>): void {
    this.#parts.push(bytes);
    this.#pending += bytes.length;
    if (this.#pending < blobEvery) return;
    this.#content = new Blob([this.#content, ...this.#parts]);
    this.#parts = [];
    this.#pending = 0;
  }
}

/** Copies bytes, so that a Blob accepts them. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
