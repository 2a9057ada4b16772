import type { Wire } from '../wire.js';
import type { DnsSd, DnsSdOptions } from './dns-sd.js';

/** Delay (ms) before a started scanner is announced: its start does not wait for the announcement. */
const announceAfter = 250;

interface Options extends DnsSdOptions {
  /** Web server that is announced. */
  readonly web: { onStateChange(listener: () => void): void };
}

/**
 * Announces the web server from shortly after the start on. Its modules are loaded at that time: no response waits for
 * them.
 */
export class DnsSdWire implements Wire {
  readonly #options: Options;
  #starting: NodeJS.Timeout | undefined;
  #dnsSd: DnsSd | undefined;

  constructor(options: Options) {
    this.#options = options;
    options.web.onStateChange(() => void this.#dnsSd?.follow());
  }

  open(): void {
    const { errors } = this.#options.device;
    this.#starting = setTimeout(
      () => errors.contain('dns_sd', () => this.#announce()),
      announceAfter,
    ).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#starting);
    this.#starting = undefined;
    await this.#dnsSd?.close();
  }

  async #announce(): Promise<void> {
    const { DnsSd } = await import('./dns-sd.js');
    if (this.#starting === undefined) return;
    this.#dnsSd = new DnsSd(this.#options);
    return this.#dnsSd.follow();
  }
}
