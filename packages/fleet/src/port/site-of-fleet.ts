import { Mutex } from '@azimuth/async';
import {
  BadSiteQuery,
  type SiteList,
  type SiteQuery,
  type SiteScanner,
  siteQueryOf,
  TimedCache,
} from '@azimuth/http';
import { BadFleetRequest } from './fleet-requests.js';
import { mapInTurns } from './in-turns.js';
import type { ScannerSummary } from './scanner-summary.js';
import { SiteIndex } from './site-index.js';
import { siteRow } from './site-row.js';

/** The scanners of a fleet for its site, with URLs below the URL of the fleet. */
export interface SiteSource {
  /** Returns all scanners. */
  all(): readonly ScannerSummary[] | Promise<readonly ScannerSummary[]>;
  /**
   * Returns those that may have changed since the last call of `all` or of this function; undefined if this is not known.
   */
  changed?(): Iterable<ScannerSummary> | undefined;
}

/**
 * The list of a fleet for its GUI. If the fleet knows what has changed, only those rows are made anew; otherwise all are,
 * at most once a second, in turns of the event loop.
 */
export class SiteOfFleet {
  readonly #source: SiteSource;
  readonly #fresh: TimedCache<SiteIndex>;
  /** One after the other: an older list must not take the place of a newer one. */
  readonly #making = new Mutex();
  #next: Promise<SiteIndex> | undefined;
  #index: SiteIndex | undefined;

  /** @param freshFor ms for which the rows are cached */
  constructor(source: SiteSource, freshFor: number) {
    this.#source = source;
    this.#fresh = new TimedCache(() => this.#makeNext(), freshFor);
  }

  /**
   * Returns the part of the list that a query selects.
   * @param query as that of `siteListOf`
   * @param origin of the fleet, as known to the client
   * @throws BadFleetRequest, and the errors of the fleet
   */
  async list(query: URLSearchParams, origin: string): Promise<SiteList> {
    const asked = parsed(query);
    const index = await this.#fresh.get();
    const { scanners, ...others } = await index.list(asked);
    return {
      ...{ history: false, log: false, from: asked.from },
      ...others,
      scanners: scanners.map((one) => (one.url === one.path ? { ...one, url: origin + one.path } : one)),
    };
  }

  /** Drops the rows: the fleet has changed. */
  forget(): void {
    this.#fresh.forget();
  }

  /** While one is made, all others wait for the next one together. */
  #makeNext(): Promise<SiteIndex> {
    this.#next ??= this.#making.run(() => {
      this.#next = undefined;
      return this.#make();
    });
    return this.#next;
  }

  async #make(): Promise<SiteIndex> {
    const changed = this.#index === undefined ? undefined : this.#source.changed?.();
    if (this.#index !== undefined && changed !== undefined) {
      if (await this.#index.replaceAll(Array.from(changed, siteRow))) return this.#index;
    }
    const rows: readonly SiteScanner[] = await mapInTurns(await this.#source.all(), siteRow);
    if (this.#index !== undefined && (await this.#index.update(rows))) return this.#index;
    this.#index = await SiteIndex.of(rows);
    return this.#index;
  }
}

/** @throws BadFleetRequest */
function parsed(query: URLSearchParams): SiteQuery {
  try {
    return siteQueryOf(query);
  } catch (error) {
    throw error instanceof BadSiteQuery ? new BadFleetRequest(error.message) : error;
  }
}
