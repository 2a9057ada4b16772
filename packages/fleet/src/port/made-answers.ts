import { TimedCache } from '@azimuth/http';

/** Limits of cached responses: their number, and their bytes together. */
const mostKept = 256;
const mostKeptBytes = 16 * 1024 * 1024;

/** Responses that are made at the same time, and requests that may wait for their turn. */
const mostAtOnce = 4;
const mostWaiting = 256;

/** Too many different responses are requested at the moment: HTTP 503. */
export class TooManyAsked extends Error {
  override readonly name = 'TooManyAsked';

  constructor() {
    super(`${mostWaiting} others wait for lists of this fleet already.`);
  }
}

interface Kept {
  readonly answer: TimedCache<Buffer>;
  bytes: number;
}

/** Caches response bodies about a whole fleet. Each is made at most once a second; of different ones, a few at a time. */
export class MadeAnswers {
  readonly #freshFor: number;
  /** Responses by request, the oldest first. */
  readonly #kept = new Map<string, Kept>();
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  #underWay = 0;

  /** @param freshFor ms */
  constructor(freshFor: number) {
    this.#freshFor = freshFor;
  }

  /**
   * Returns a response, from the cache or made now.
   * @param asked tells responses apart
   * @throws TooManyRequests, and what `make` throws
   */
  async of(asked: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const kept = this.#kept.get(asked) ?? this.#keep(asked, make);
    try {
      const content = await kept.answer.get();
      if (this.#kept.get(asked) === kept) this.#weigh(kept, content.length);
      return content;
    } catch (error) {
      if (this.#kept.get(asked) === kept) this.#drop(asked, kept);
      throw error;
    }
  }

  /** Empties the cache: the fleet has changed. */
  forget(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  #keep(asked: string, make: () => Promise<Buffer>): Kept {
    const kept: Kept = { answer: new TimedCache(() => this.#inTurn(make), this.#freshFor), bytes: 0 };
    this.#kept.set(asked, kept);
    return kept;
  }

  #weigh(kept: Kept, bytes: number): void {
    this.#bytes += bytes - kept.bytes;
    kept.bytes = bytes;
    for (const [asked, oldest] of this.#kept) {
      if (this.#kept.size <= mostKept && this.#bytes <= mostKeptBytes) return;
      this.#drop(asked, oldest);
    }
  }

  #drop(asked: string, { bytes }: Kept): void {
    this.#kept.delete(asked);
    this.#bytes -= bytes;
  }

  async #inTurn(make: () => Promise<Buffer>): Promise<Buffer> {
    if (this.#underWay >= mostAtOnce) {
      if (this.#waiting.length >= mostWaiting) throw new TooManyAsked();
      await new Promise<void>((go) => this.#waiting.push(go));
    } else this.#underWay++;
    try {
      return await make();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay--;
      else next();
    }
  }
}
