import { countersIn, hasFallen, sumOfMetrics } from './sums.js';

/** A page of metrics, and the URL of the worker that it comes from. */
export interface WorkerPage {
  readonly url: string;
  readonly page: string;
}

/**
 * The counters (`_total`) of all workers, also of those that are silent, have ended, or have started again: their sums only grow.
 */
export class KeptCounters {
  /** The counters that each worker told last, by its URL. */
  readonly #last = new Map<string, string>();
  /** Those of workers that have ended. */
  #ended = '';

  /**
   * @param pages of workers that have answered
   * @param asked the URLs of all workers that are there: any other one has ended
   * @returns the pages, and the counters of workers that have not answered
   */
  complete(pages: readonly WorkerPage[], asked: ReadonlySet<string>): readonly string[] {
    for (const { url, page } of pages) {
      const last = this.#last.get(url);
      // Another process has the same URL by now.
      if (last !== undefined && hasFallen(last, page)) this.#end(last);
      this.#last.set(url, countersIn(page));
    }
    for (const [url, last] of this.#last) {
      if (asked.has(url)) continue;
      this.#end(last);
      this.#last.delete(url);
    }
    const answered = new Set(pages.map(({ url }) => url));
    const silent = [...this.#last].flatMap(([url, last]) => (answered.has(url) ? [] : [last]));
    return [...pages.map(({ page }) => page), ...silent, this.#ended];
  }

  #end(counters: string): void {
    this.#ended = sumOfMetrics([this.#ended, counters]);
  }
}
