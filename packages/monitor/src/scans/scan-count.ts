import type { ScanTelegram } from '@azimuth/client';

/** Telegrams that may come late. A counter that goes back further has begun again. */
const latest = 64;

/** What has come from one scanner. */
export class ScanCount {
  scans = 0;
  telegrams = 0;
  lost = 0;
  /** When the last scan came: milliseconds since 1970-01-01 UTC. */
  lastAt: number | undefined;
  #sequence: number | undefined;
  #frame: number | undefined;

  count({ sequence, modules }: ScanTelegram, now: number): void {
    this.telegrams++;
    this.lastAt = now;
    this.#follow(sequence);
    const frame = modules[0]?.frameNumber;
    if (frame !== this.#frame) this.scans++;
    this.#frame = frame;
  }

  #follow(sequence: number): void {
    const last = this.#sequence;
    if (last !== undefined && sequence <= last && last - sequence <= latest) {
      // It was counted as lost.
      this.lost = Math.max(0, this.lost - 1);
      return;
    }
    this.#sequence = sequence;
    if (last !== undefined && sequence > last) this.lost += sequence - last - 1;
  }
}
