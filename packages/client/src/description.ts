import { builtInInterface, describedInterface, type KnownInterface } from '@azimuth/model';
import { parsedJson } from './envelope.js';
import { ClientError } from './errors.js';
import type { HttpResponse } from './exchange/exchange.js';

/** Path of the description of a scanner by itself. */
export const descriptionPath = '/openapi.json';

/** Time limit (ms) for the description: often a command only wants to know if a name was mistyped. */
export const longestMs = 5000;

/**
 * What is known of the names of a scanner: at first what the model has, then also what the scanner describes itself.
 * The description is fetched once, when it is needed.
 */
export class Description {
  readonly #fetch: () => Promise<HttpResponse>;
  #known: KnownInterface = builtInInterface;
  #whole: Promise<KnownInterface> | undefined;

  /** @param fetch requests the description; rejects with a ClientError */
  constructor(fetch: () => Promise<HttpResponse>) {
    this.#fetch = fetch;
  }

  /** What is known now, without a request. */
  get known(): KnownInterface {
    return this.#known;
  }

  /**
   * Returns all that is known: what the scanner describes, and the model. A scanner without a description, as a real
   * one, has what the model has.
   * @throws ClientError if the scanner does not answer; the next call asks again
   */
  whole(): Promise<KnownInterface> {
    this.#whole ??= this.#read();
    return this.#whole;
  }

  /**
   * Returns what is known of these names, in requests or in backups. The description is fetched only if one of them is
   * unknown. If the scanner does not answer then, they stay unknown.
   */
  async ofNames(names: Iterable<string>): Promise<KnownInterface> {
    const known = this.#known;
    if ([...names].every((name) => known.endpoint(name) ?? known.unprefixed(name))) return known;
    try {
      return await this.whole();
    } catch (error) {
      if (error instanceof ClientError) return known;
      throw error;
    }
  }

  /** Asks again the next time: the scanner may have other firmware now. What was known stays until then. */
  forget(): void {
    this.#whole = undefined;
  }

  async #read(): Promise<KnownInterface> {
    try {
      const { httpStatus, text } = await this.#fetch();
      const described = httpStatus === 200 ? describedInterface(parsedJson(text)) : undefined;
      this.#known = described ?? builtInInterface;
      return this.#known;
    } catch (error) {
      this.#whole = undefined;
      throw error;
    }
  }
}

/** A scanner whose names may be described. Without a description, the model is all that is known. */
export interface MayBeDescribed {
  readonly description?: Pick<Description, 'known' | 'whole' | 'ofNames'> | undefined;
}

/** What is known of a scanner that nobody describes. */
export const modelOnly: NonNullable<MayBeDescribed['description']> = {
  known: builtInInterface,
  whole: () => Promise.resolve(builtInInterface),
  ofNames: () => Promise.resolve(builtInInterface),
};
