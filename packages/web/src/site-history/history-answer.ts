import type { SiteCurve } from '@azimuth/http/site';
import { isObject } from '@azimuth/model';
import { SiteFault } from '../site/site-answer.js';

/** A time in ms since 1970 UTC, and the value then; null: it is not known. */
export type HistoryPoint = readonly [at: number, value: number | null];

/** Curves of one scanner that are shown. */
const mostCurves = 40;
/** Points of one curve that are shown: a server has 1000 at most. */
const mostPoints = 2000;
/** Characters of a text that are shown. */
const longestText = 80;

/** Reads the names of the curves of a scanner. @throws SiteFault */
export function curvesIn(json: unknown): readonly SiteCurve[] {
  const values = isObject(json) ? json.values : undefined;
  if (!Array.isArray(values)) throw new SiteFault('values: expected a list');
  const curves = values.slice(0, mostCurves).map(curveIn);
  return curves.filter(({ name }, index) => curves.findIndex((one) => one.name === name) === index);
}

function curveIn(json: unknown, index: number): SiteCurve {
  const { name, label, unit } = isObject(json) ? json : {};
  if (typeof name !== 'string' || !/^[\w.-]{1,60}$/.test(name))
    throw new SiteFault(`values[${index}].name: expected letters, digits, ., - and _`);
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, longestText) : '');
  return { name, label: text(label) || name, unit: text(unit) };
}

/** Reads the points of a curve, the oldest first. A value that is no number is not known. @throws SiteFault */
export function pointsIn(json: unknown): readonly HistoryPoint[] {
  const points: unknown = isObject(json) ? json.points : undefined;
  if (!Array.isArray(points) || points.length > mostPoints)
    throw new SiteFault(`points: expected a list of at most ${mostPoints}`);
  let last = Number.NEGATIVE_INFINITY;
  return points.map((point: unknown, index): HistoryPoint => {
    const [at, value]: unknown[] = Array.isArray(point) ? point : [];
    if (typeof at !== 'number' || !Number.isFinite(new Date(at).getTime()) || at < last)
      throw new SiteFault(`points[${index}]: expected a time, and none before the one in front of it`);
    last = at;
    return [at, typeof value === 'number' && Number.isFinite(value) ? value : null];
  });
}
