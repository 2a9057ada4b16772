import type { Page } from 'playwright-core';

/** Places in a Compact telegram of type 1: its number, and the number of its scan. */
const telegramNumberAt = 8;
const scanNumberAt = 40;

/** Counts the scans that a page gets over `/x/scan`, from now on. */
export class ScansOnTheWire {
  #firstTelegram: bigint | undefined;
  #lastTelegram = 0n;
  #telegrams = 0;
  #scan = -1n;
  #scans = 0;

  constructor(page: Page) {
    page.on('websocket', (socket) => {
      if (!socket.url().endsWith('/x/scan')) return;
      socket.on('framereceived', ({ payload }) => {
        if (typeof payload === 'string') return;
        this.#telegrams++;
        this.#lastTelegram = payload.readBigUInt64LE(telegramNumberAt);
        this.#firstTelegram ??= this.#lastTelegram;
        const scan = payload.readBigUInt64LE(scanNumberAt);
        if (scan === this.#scan) return;
        this.#scan = scan;
        this.#scans++;
      });
    });
  }

  /** Scans of which something came. */
  get count(): number {
    return this.#scans;
  }

  /** Telegrams that the scanner numbered between the first and the last that came, and that did not come. */
  get lostTelegrams(): number {
    if (this.#firstTelegram === undefined) return 0;
    return Number(this.#lastTelegram - this.#firstTelegram) + 1 - this.#telegrams;
  }
}
