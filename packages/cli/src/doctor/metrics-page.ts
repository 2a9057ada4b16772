import { isRelease, newestRelease, type Release, releases } from '@azimuth/model';

/** One sample of a page of metrics. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Metrics in the text format of Prometheus: the samples of each metric, by its name without the prefix of the product:
 * `telegrams_total`.
 */
export type MetricsPage = ReadonlyMap<string, readonly Sample[]>;

/** The metric in which every scanner states itself. */
const info = 'scanner_info';

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)/;
/** Matches one label after the other: a hostile page is read in one pass. */
const label = /\s*([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"\s*,?/gy;

/**
 * Reads a page; lines that are no samples of the scanner are skipped. The prefix of its metrics is the one in front of
 * `_scanner_info`.
 */
export function metricsIn(text: string): MetricsPage {
  const page = new Map<string, Sample[]>();
  const prefix = new RegExp(`^([a-z][a-z0-9_]*_)${info}\\{`, 'm').exec(text)?.[1] ?? 'azimuth_';
  for (const row of text.split('\n')) {
    const [, name, labels = '', number = ''] = line.exec(row) ?? [];
    const value = Number(number);
    if (!name?.startsWith(prefix) || Number.isNaN(value)) continue;
    const sample = { labels: Object.fromEntries(labelsIn(labels)), value };
    const metric = name.slice(prefix.length);
    const known = page.get(metric);
    if (known === undefined) page.set(metric, [sample]);
    else known.push(sample);
  }
  return page;
}

function labelsIn(text: string): (readonly [string, string])[] {
  return [...text.matchAll(label)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll(/\\(.)/g, '$1'),
  ]);
}

/** Returns the samples of a metric whose labels have these values. */
export function matchingSamples(
  page: MetricsPage,
  metric: string,
  labels: Readonly<Record<string, string>> = {},
): readonly Sample[] {
  const expected = Object.entries(labels);
  return (page.get(metric) ?? []).filter((sample) =>
    expected.every(([name, value]) => sample.labels[name] === value),
  );
}

/** Returns the sum of these samples; 0 if there are none. */
export function totalOf(
  page: MetricsPage,
  metric: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return matchingSamples(page, metric, labels).reduce((total, { value }) => total + value, 0);
}

/** Returns the number in a version: `2.4.4` of `2.4.4.0R` and of `V2.4.4`. */
export function versionIn(version: string): string {
  return /\d+\.\d+\.\d+/.exec(version)?.[0] ?? version;
}

/** Returns the release of a version; one between two known releases counts as the older of them. */
export function releaseInVersion(version: string | undefined): Release | undefined {
  const number = version === undefined ? '' : versionIn(version);
  if (isRelease(number)) return number;
  if (!/^\d+\.\d+\.\d+$/.test(number) || isBelow(newestRelease, number)) return undefined;
  return releases.findLast((release) => isBelow(release, number));
}

function isBelow(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) < 0;
}
