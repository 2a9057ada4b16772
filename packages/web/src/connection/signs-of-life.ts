import { ClientError } from '@azimuth/client';

/** ms of silence after which a scanner is asked whether it is there. */
export const askAfter = 4000;
/** ms within which it has to answer. */
export const answerWithin = 4000;

interface Acts {
  /** Asks the scanner for anything. */
  readonly ask: () => Promise<unknown>;
  /** It does not answer. */
  readonly silent: (why: string) => void;
  /** It answers again, after `silent`. */
  readonly back: () => void;
}

/**
 * Notices a scanner that hangs, or whose cable is cut: its connections stay open, and a browser does not ping. While nothing
 * comes from the scanner, it is asked every few seconds.
 */
export class SignsOfLife {
  readonly #acts: Acts;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: 'over' | 'heard' | 'silent' = 'over';

  constructor(acts: Acts) {
    this.#acts = acts;
  }

  /** The connection is open. */
  begin(): void {
    this.#state = 'heard';
    this.#askLater();
  }

  /** The connection is closed: nothing needs to be asked. */
  end(): void {
    this.#state = 'over';
    clearTimeout(this.#timer);
  }

  /** Something came from the scanner. */
  seen(): void {
    if (this.#state === 'over') return;
    if (this.#state === 'silent') {
      this.#state = 'heard';
      this.#acts.back();
    }
    this.#askLater();
  }

  #askLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), askAfter);
  }

  async #ask(): Promise<void> {
    try {
      await this.#acts.ask();
      this.seen();
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (this.#state === 'over') return;
      this.#state = 'silent';
      this.#acts.silent(error.message);
      this.#askLater();
    }
  }
}
