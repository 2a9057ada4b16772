import { isObject } from '@azimuth/model';

/** Objects of numbers, added up at every depth. Lists are put behind each other. */
export function sumOf(parts: readonly unknown[]): Readonly<Record<string, unknown>> {
  const sum: Record<string, unknown> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(isObject(part) ? part : {})) {
      const before = sum[name];
      if (typeof value === 'number') sum[name] = value + (typeof before === 'number' ? before : 0);
      else if (Array.isArray(value)) sum[name] = [...(Array.isArray(before) ? before : []), ...value];
      else if (isObject(value)) sum[name] = sumOf([before, value]);
    }
  }
  return sum;
}

/** A metric of a page: its comments, and its samples by their names with labels. */
interface Metric {
  readonly comments: Set<string>;
  readonly samples: Map<string, number>;
}

/**
 * Pages of metrics in the text format of Prometheus, with the values of equal samples added up.
 * @param own values that stand in place of such sums, by the names of samples
 */
export function sumOfMetrics(
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
  // All samples of a metric stand together, whichever page they come from.
  const lines = [...metrics.values()].flatMap(({ comments, samples }) => [
    ...comments,
    ...[...samples].map(([sample, value]) => `${sample} ${value}`),
  ]);
  return `${lines.join('\n')}\n`;
}

/** The counters of such a page, with their comments: by their names, these only grow while a process runs. */
function countersIn(page: string): string {
  return page
    .split('\n')
    .filter((line) => nameIn(line)?.endsWith('_total') === true)
    .join('\n');
}

/** Is one of these counters lower in a later page? Then that comes from a process which has started since. */
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

/** The name of a sample with its labels, and its value. */
function sampleIn(line: string): readonly [string, string] | undefined {
  const [, sample, value] = /^([^#].*) (\S+)$/.exec(line) ?? [];
  return sample === undefined || value === undefined ? undefined : [sample, value];
}

/** A page of metrics, and the URL of the worker that it comes from. */
interface WorkerPage {
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
