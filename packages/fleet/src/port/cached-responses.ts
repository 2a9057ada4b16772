import { TimedCache } from '@azimuth/http';

/** Limits of cached responses: their number, and their bytes together. */
const mostCached = 256;
const mostCachedBytes = 16 * 1024 * 1024;

/** Maximum number of responses that are made at the same time, and of requests that wait for their turn. */
const mostAtOnce = 4;
const mostWaiting = 256;

/** Too many different responses are requested at the moment: HTTP 503. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';

  constructor() {
    super(`${mostWaiting} others wait for lists of this fleet already.`);
  }
}

interface Cached {
  readonly body: TimedCache<Buffer>;
  bytes: number;
}

/** Caches response bodies about a whole fleet. Each is made at most once a second; of different ones, a few at a time. */
export class CachedResponses {
  readonly #freshFor: number;
  /** Responses by request, the oldest first. */
  readonly #cached = new Map<string, Cached>();
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  #underWay = 0;

  /** @param freshFor ms */
  constructor(freshFor: number) {
    this.#freshFor = freshFor;
  }

  /**
   * Returns a response, from the cache or made now.
   * @param key tells responses apart
   * @throws TooManyRequests, and the errors of `make`
   */
  async of(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const cached = this.#cached.get(key) ?? this.#store(key, make);
    try {
      const content = await cached.body.get();
      if (this.#cached.get(key) === cached) this.#weigh(cached, content.length);
      return content;
    } catch (error) {
      if (this.#cached.get(key) === cached) this.#drop(key, cached);
      throw error;
    }
  }

  /** Empties the cache: the fleet has changed. */
  forget(): void {
    this.#cached.clear();
    this.#bytes = 0;
  }

  #store(key: string, make: () => Promise<Buffer>): Cached {
    const cached: Cached = { body: new TimedCache(() => this.#inTurn(make), this.#freshFor), bytes: 0 };
    this.#cached.set(key, cached);
    return cached;
  }

  #weigh(cached: Cached, bytes: number): void {
    this.#bytes += bytes - cached.bytes;
    cached.bytes = bytes;
    for (const [key, oldest] of this.#cached) {
      if (this.#cached.size <= mostCached && this.#bytes <= mostCachedBytes) return;
      this.#drop(key, oldest);
    }
  }

  #drop(key: string, { bytes }: Cached): void {
    this.#cached.delete(key);
    this.#bytes -= bytes;
  }

  async #inTurn(make: () => Promise<Buffer>): Promise<Buffer> {
    if (this.#underWay >= mostAtOnce) {
      if (this.#waiting.length >= mostWaiting) throw new TooManyRequests();
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
