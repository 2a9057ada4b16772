import { isObject } from '@azimuth/model';

/** Adds up objects of numbers, at every depth. Lists are concatenated. */
export function totalOf(parts: readonly unknown[]): Readonly<Record<string, unknown>> {
  const total: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(isObject(part) ? part : {})) {
      const before = total[name];
      if (typeof value === 'number') total[name] = value + (typeof before === 'number' ? before : 0);
      else if (Array.isArray(value)) total[name] = [...(Array.isArray(before) ? before : []), ...value];
      else if (isObject(value)) total[name] = totalOf([before, value]);
    }
  }
  return total;
}

/** A metric of a page: its comments, and its samples by their names with labels. */
interface Metric {
  readonly comments: Set<string>;
  readonly samples: Map<string, number>;
}

/**
 * Adds up pages of metrics in the text format of Prometheus: the values of equal samples.
 * @param own values in place of such totals, by the names of samples
 */
export function totalMetrics(
  pages: readonly unknown[],
  own: ReadonlyMap<string, number> = new Map(),
): string {
  const metrics = new Map<string, Metric>();
  for (const line of pages.join('\n').split('\n')) {
    const name = nameIn(line);
    if (name === undefined) continue;
    const metric = metrics.get(name) ?? { comments: new Set(), samples: new Map() };
    metrics.set(name, metric);
    const [sample, value] = sampleIn(line) ?? [];
    if (sample === undefined) metric.comments.add(line);
    else metric.samples.set(sample, own.get(sample) ?? (metric.samples.get(sample) ?? 0) + Number(value));
  }
  // All samples of a metric must be next to each other, from all pages.
  const lines = [...metrics.values()].flatMap(({ comments, samples }) => [
    ...comments,
    ...[...samples].map(([sample, value]) => `${sample} ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the counters of such a page, with their comments. Counters only grow while a process runs; their names show that
 * they are counters.
 */
function countersIn(page: string): string {
  return page
    .split('\n')
    .filter((line) => nameIn(line)?.endsWith('_total') === true)
    .join('\n');
}

/** True if one of these counters is lower in a later page. Then a process has started in between. */
function hasFallen(counters: string, page: string): boolean {
  const now = new Map(samplesIn(page));
  return samplesIn(counters).some(([sample, value]) => Number(now.get(sample) ?? value) < Number(value));
}

function samplesIn(page: string): readonly (readonly [string, string])[] {
  return page.split('\n').flatMap((line) => {
    const sample = sampleIn(line);
    return sample === undefined ? [] : [sample];
  });
}

function nameIn(line: string): string | undefined {
  return /^(?:# (?:HELP|TYPE) )?([a-zA-Z_:][\w:]*)/.exec(line)?.[1];
}

/** Returns the name of a sample with its labels, and its value. */
function sampleIn(line: string): readonly [string, string] | undefined {
  const [, sample, value] = /^([^#].*) (\S+)$/.exec(line) ?? [];
  return sample === undefined || value === undefined ? undefined : [sample, value];
}

/** A page of metrics, and the URL of its worker. */
interface WorkerPage {
  readonly url: string;
  readonly page: string;
}

/**
 * The counters (`_total`) of all workers, including those that do not respond, have ended, or have started again. So the
 * totals only grow.
 */
export class CumulativeCounters {
  /** The last counters of each worker, by its URL. */
  readonly #last = new Map<string, string>();
  /** The counters of workers that have ended. */
  #ended = '';

  /**
   * @param pages of workers that have responded
   * @param current the URLs of all current workers: any other one has ended
   * @returns the pages, and the counters of workers that have not responded
   */
  complete(pages: readonly WorkerPage[], current: ReadonlySet<string>): readonly string[] {
    for (const { url, page } of pages) {
      const last = this.#last.get(url);
      // Another process has this URL now.
      if (last !== undefined && hasFallen(last, page)) this.#end(last);
      this.#last.set(url, countersIn(page));
    }
    for (const [url, last] of this.#last) {
      if (current.has(url)) continue;
      this.#end(last);
      this.#last.delete(url);
    }
    const responded = new Set(pages.map(({ url }) => url));
    const silent = [...this.#last].flatMap(([url, last]) => (responded.has(url) ? [] : [last]));
    return [...pages.map(({ page }) => page), ...silent, this.#ended];
  }

  #end(counters: string): void {
    this.#ended = totalMetrics([this.#ended, counters]);
  }
}
