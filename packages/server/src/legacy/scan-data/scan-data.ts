import type { Device, Scan } from '@azimuth/device';
import { measurementDataOutput, ScanDataFormat } from '@azimuth/model';
import type { Framing } from '@azimuth/telegrams/legacy';
import { requestedScansTime, scanTimeout } from '../limits.js';
import type { ScanTelegram } from './lmd-telegrams.js';
import { TelegramMaker } from './lmd-telegrams.js';

/** Session that has subscribed to scan data. */
export interface ScanSink {
  /** Framing of its telegrams: that of its request. */
  readonly framing: Framing;
  /**
   * Sends a framed event (`sSN LMDscandata …`). The bytes may be shared with other sinks and must not be changed.
   * Returns false if the session is busy. The telegram is then dropped for it. If a session accepts nothing for
   * EtherSessionTimeout while data waits, it closes by itself.
   */
  send(frame: Uint8Array): boolean;
}

/** Implements `sRN LMDscandata` and `sEN LMDscandata`. */
export interface ScanData {
  /** Returns the framed response to `sRN LMDscandata` (`sRA LMDscandata …`); undefined if there is no scan: sFA 14. */
  poll(framing: Framing): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Sends a telegram for each scan until it is stopped. Called when the acknowledgement has been sent. */
  subscribe(sink: ScanSink): () => void;
}

const { ScanDataFormat: format } = measurementDataOutput.members;

/** The last scan that was observed. */
interface Last {
  /** Telegram; undefined if no beam of the scan is visible. */
  readonly telegram: ScanTelegram | undefined;
  readonly number: number;
  /** True if it was measured after the present observation began. */
  isFresh: boolean;
}

/**
 * LMDscandata: one telegram per scan for all sessions that follow scans while ScanDataFormat is LMDscandata, and the
 * last scan for any session that requests it, in any format. If no session does either, the scanner is not observed.
 */
export class LegacyScanData implements ScanData {
  readonly #device: Device;
  readonly #maker: TelegramMaker;
  readonly #followers = new Set<{ readonly sink: ScanSink }>();
  /** Requests that wait for a scan. Called when there is one, or when there will be none. */
  readonly #waiting = new Set<() => void>();
  /** Last scan; undefined after a boot. */
  #last: Last | undefined;
  /** Time (ms) of the last request for a scan; undefined while no request needs the scans to be observed. */
  #requestedAt: number | undefined;
  #stop: (() => void) | undefined;

  constructor(device: Device) {
    this.#device = device;
    this.#maker = new TelegramMaker(device);
    device.announcements.subscribe((changed) => {
      this.#maker.changed(changed);
      if (changed.includes(format)) this.#updateObservation();
    });
    device.lifecycle.onDown(() => this.#down());
  }

  /**
   * Returns the last scan; if scans were not observed before, the next one. If the scanner does not measure, it returns
   * the last one.
   */
  poll(framing: Framing): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const {
      clock,
      features: { measuring },
    } = this.#device;
    this.#requestedAt = clock.monotonic();
    this.#updateObservation();
    if (measuring.state !== 'measuring') this.#useLastScan();
    const response = () => this.#last?.telegram?.frame('sRA', framing);
    if (this.#last?.isFresh === true || measuring.state !== 'measuring') return response();
    return this.#scanOrTimeout().then(response);
  }

  /** Uses the last scan of the scanner: other users may have continued scans after observation ended here. */
  #useLastScan(): void {
    const { lastScan } = this.#device.features.measuring;
    if (lastScan === undefined || lastScan.number === this.#last?.number) return;
    const isFresh = this.#last?.isFresh === true;
    this.#last = { telegram: this.#maker.telegramOf(lastScan), number: lastScan.number, isFresh };
  }

  subscribe(sink: ScanSink): () => void {
    const follower = { sink };
    this.#followers.add(follower);
    this.#updateObservation();
    return () => {
      this.#followers.delete(follower);
      this.#updateObservation();
    };
  }

  get #isFollowed(): boolean {
    return this.#followers.size > 0 && this.#device.read(format) === ScanDataFormat.LMDscandata;
  }

  #updateObservation(): void {
    const isNeeded = this.#isFollowed || this.#requestedAt !== undefined;
    if (isNeeded === (this.#stop !== undefined)) return;
    this.#stop?.();
    if (this.#last !== undefined) this.#last.isFresh = false;
    this.#stop = isNeeded
      ? this.#device.features.measuring.watch({ scan: (scan) => this.#measured(scan) })
      : undefined;
  }

  #measured(scan: Scan): void {
    if (
      this.#requestedAt !== undefined &&
      this.#device.clock.monotonic() - this.#requestedAt > requestedScansTime
    ) {
      this.#requestedAt = undefined;
      this.#updateObservation();
    }
    const isSent = this.#isFollowed && this.#maker.isSent(scan);
    if (!isSent && this.#requestedAt === undefined) return;
    const telegram = this.#maker.telegramOf(scan);
    this.#last = { telegram, number: scan.number, isFresh: true };
    if (isSent && telegram !== undefined) this.#send(telegram);
    this.#release();
  }

  #send(telegram: ScanTelegram): void {
    for (const { sink } of this.#followers) sink.send(telegram.frame('sSN', sink.framing));
  }

  #scanOrTimeout(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#device.clock.after(scanTimeout, () => done());
      const done = () => {
        cancel();
        this.#waiting.delete(done);
        resolve();
      };
      this.#waiting.add(done);
    });
  }

  #release(): void {
    for (const done of this.#waiting) done();
  }

  /** Resets everything at a boot: nothing has been measured yet. */
  #down(): void {
    this.#requestedAt = undefined;
    this.#last = undefined;
    this.#maker.reset();
    this.#updateObservation();
    this.#release();
  }
}
