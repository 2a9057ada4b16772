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
  #isSilent = false;
  #isOver = true;

  constructor(acts: Acts) {
    this.#acts = acts;
  }

  /** The connection is open. */
  begin(): void {
    this.#isOver = false;
    this.#isSilent = false;
    this.#askLater();
  }

  /** The connection is closed: nothing needs to be asked. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /** Something came from the scanner. */
  seen(): void {
    if (this.#isOver) return;
    if (this.#isSilent) {
      this.#isSilent = false;
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
      if (this.#isOver) return;
      this.#isSilent = true;
      this.#acts.silent(error.message);
      this.#askLater();
    }
  }
}
