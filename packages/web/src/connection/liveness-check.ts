import { ClientError } from '@azimuth/client';

/** ms of silence after which a request checks whether the scanner is there. */
export const silenceTimeout = 4000;
/** ms within which it has to answer. */
export const responseTimeout = 4000;

interface Acts {
  /** Sends any request to the scanner. */
  readonly ask: () => Promise<unknown>;
  /** Called when the scanner does not answer. */
  readonly silent: (why: string) => void;
  /** Called when the scanner answers again, after `silent`. */
  readonly back: () => void;
}

/**
 * Detects a scanner that hangs, or whose cable is cut: its connections stay open, and a browser does not ping. While
 * nothing arrives from the scanner, it gets a request every few seconds.
 */
export class LivenessCheck {
  readonly #acts: Acts;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: 'over' | 'heard' | 'silent' = 'over';

  constructor(acts: Acts) {
    this.#acts = acts;
  }

  /** Called when the connection is open. */
  begin(): void {
    this.#state = 'heard';
    this.#askLater();
  }

  /** Called when the connection is closed: no requests are needed. */
  end(): void {
    this.#state = 'over';
    clearTimeout(this.#timer);
  }

  /** Called when something arrived from the scanner. */
  received(): void {
    if (this.#state === 'over') return;
    if (this.#state === 'silent') {
      this.#state = 'heard';
      this.#acts.back();
    }
    this.#askLater();
  }

  #askLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), silenceTimeout);
  }

  async #ask(): Promise<void> {
    try {
      await this.#acts.ask();
      this.received();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (this.#state === 'over') return;
      this.#state = 'silent';
      this.#acts.silent(error.message);
      this.#askLater();
    }
  }
}
