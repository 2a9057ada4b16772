import { recordingHeader, recordOf } from '@azimuth/client';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ScanFeed } from './scan-feed.js';

/** Bytes that a recording may have: it is kept in memory until it is saved. */
export const mostRecorded = 256 * 1024 * 1024;
/** Bytes that are collected before they are put into a Blob, which a browser may keep on disk. */
const blobEvery = 4 * 1024 * 1024;

/** How far a recording is. */
export interface RecordingProgress {
  readonly telegrams: number;
  readonly bytes: number;
  /** Did it end by itself, as it was too large? */
  readonly isFull: boolean;
}

/** Telegrams of one scanner as a file, the way `azimuth record` writes it. */
export class ScanRecording {
  readonly #feed: ScanFeed;
  readonly #progress: Signal<RecordingProgress> = signal({ telegrams: 0, bytes: 0, isFull: false });
  #content = new Blob([]);
  #parts: BlobPart[] = [];
  #pending = 0;

  /** Begins. @param facts stand at the beginning of the file: where the telegrams come from, and the serial number */
  constructor(feed: ScanFeed, facts: { readonly source: string; readonly serial?: number }) {
    this.#feed = feed;
    this.#add(copyOf(recordingHeader({ made: new Date().toISOString(), ...facts })));
    feed.onTelegram = (telegram) => this.#take(telegram);
  }

  get progress(): ReadonlySignal<RecordingProgress> {
    return this.#progress;
  }

  /** Ends it. @returns the file */
  end(): Blob {
    this.#feed.onTelegram = undefined;
    return new Blob([this.#content, ...this.#parts], { type: 'application/octet-stream' });
  }

  #take(telegram: Uint8Array): void {
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

/** Bytes that a Blob takes. */
function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
