import { longestSearch, type SiteLogSeverity, siteListPath } from '@azimuth/http/site';
import { askServer } from '../site/ask-server.js';
import type { ReadCurve } from './curves.js';
import { curvesIn, type HistoryPoint, pointsIn } from './history-answer.js';
import { type LogPart, logPartIn } from './log-answer.js';

const ofSite = siteListPath.slice(1);
const historyPath = `${ofSite}/history`;
const logPath = `${ofSite}/log`;

/** Curves that are read at the same time: a browser has few connections. */
const atOnce = 3;

/**
 * Reads all curves of a scanner.
 * @param path of the scanner @param since ms since 1970 UTC
 * @throws SiteFault
 */
export async function askCurves(
  path: string,
  since: number,
  aborted: AbortSignal,
): Promise<readonly ReadCurve[]> {
  const known = await knownCurves(path, aborted);
  const curves: ReadCurve[] = [];
  for (let from = 0; from < known.length; from += atOnce) {
    const some = known.slice(from, from + atOnce);
    curves.push(
      ...(await Promise.all(
        some.map(async (curve) => ({ ...curve, points: await askPoints(path, curve.name, since, aborted) })),
      )),
    );
  }
  return curves;
}

/** Reads one curve of a scanner; no points if the scanner does not have it. @throws SiteFault */
export async function askCurve(
  path: string,
  name: string,
  since: number,
  aborted: AbortSignal,
): Promise<readonly HistoryPoint[]> {
  const known = await knownCurves(path, aborted);
  return known.some((curve) => curve.name === name) ? askPoints(path, name, since, aborted) : [];
}

function knownCurves(path: string, aborted: AbortSignal) {
  return askServer(`${historyPath}?${new URLSearchParams({ scanner: path })}`, curvesIn, aborted);
}

/** @throws SiteFault, also if the scanner does not have the curve */
function askPoints(
  path: string,
  value: string,
  since: number,
  aborted: AbortSignal,
): Promise<readonly HistoryPoint[]> {
  const query = new URLSearchParams({ scanner: path, value, since: String(Math.max(0, Math.floor(since))) });
  return askServer(`${historyPath}?${query}`, pointsIn, aborted);
}

/** Which entries of the log are wanted. */
export interface LogQuery {
  /** Undefined for all scanners. */
  readonly path: string | undefined;
  readonly words: string;
  readonly severity: SiteLogSeverity | undefined;
}

/** Entries of one answer. */
const entriesOfPart = 100;

/** Reads a part of the log. @param before ms since 1970 UTC; undefined for the newest @throws SiteFault */
export function askLog(
  { path, words, severity }: LogQuery,
  before: number | undefined,
  aborted: AbortSignal,
): Promise<LogPart> {
  const query = new URLSearchParams({ limit: String(entriesOfPart) });
  if (path !== undefined) query.set('scanner', path);
  if (words.trim() !== '') query.set('q', words.trim().slice(0, longestSearch));
  if (severity !== undefined) query.set('severity', severity);
  if (before !== undefined) query.set('before', String(Math.floor(before)));
  return askServer(`${logPath}?${query}`, logPartIn, aborted);
}
