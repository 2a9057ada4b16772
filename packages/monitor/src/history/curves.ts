import { sectorCount } from '@azimuth/model';
import type { ScannerSnapshot } from '../state/scanner-snapshot.js';

/** How the values within a stretch of time become one. */
export type Join = 'mean' | 'most' | 'last';

/** A value of a scanner of which a history is kept. */
export interface Curve {
  /** In requests, and in files. */
  readonly name: string;
  /** For people. */
  readonly label: string;
  /** Empty for counts. */
  readonly unit: string;
  readonly join: Join;
  /** Undefined if it is not known now. */
  readonly of: (snapshot: ScannerSnapshot) => number | undefined;
}

/** A curve of a value that is known only while the scanner answers. */
function whileReachable(of: Curve['of']): Curve['of'] {
  return (snapshot) => (snapshot.reachable === true ? of(snapshot) : undefined);
}

const sectorCurves = Array.from(
  { length: sectorCount },
  (_, index): Curve => ({
    name: `dirt-${index + 1}`,
    label: `Dirt, sector ${index + 1}`,
    unit: '',
    join: 'most',
    of: whileReachable(({ sectors }) => dirtOf[sectors[index] ?? '']),
  }),
);

/** States of a sector as numbers. */
const dirtOf: Readonly<Record<string, number>> = { clean: 0, warning: 1, error: 2 };

/** All values with a history, in the order for people. Their names stay: files have them. */
export const curves: readonly Curve[] = [
  {
    ...{ name: 'temperature', label: 'Temperature', unit: '°C', join: 'mean' },
    of: whileReachable(({ values }) => numberIn(values.get('CurrentTempDev'))),
  },
  {
    ...{ name: 'reachable', label: 'Answers', unit: '%', join: 'mean' },
    of: ({ reachable }) => (reachable === undefined ? undefined : 100 * Number(reachable)),
  },
  {
    ...{ name: 'trouble', label: 'Conditions', unit: '', join: 'most' },
    of: ({ reachable, conditions }) => (reachable === undefined ? undefined : conditions.length),
  },
  {
    ...{ name: 'look', label: 'Time of a look', unit: 's', join: 'mean' },
    of: whileReachable(({ lookSeconds }) => lookSeconds),
  },
  {
    ...{ name: 'clock', label: 'Clock ahead', unit: 's', join: 'mean' },
    of: whileReachable(({ clockOffset }) => clockOffset),
  },
  {
    ...{ name: 'scan-rate', label: 'Scans that arrive', unit: 'Hz', join: 'mean' },
    of: whileReachable(({ scans }) => scans?.rate),
  },
  {
    ...{ name: 'loss', label: 'Lost telegrams', unit: '%', join: 'mean' },
    of: whileReachable(({ scans }) => scans && 100 * scans.lossShare),
  },
  {
    ...{ name: 'unsaved', label: 'Unsaved parameters', unit: '', join: 'most' },
    of: whileReachable(({ unsaved }) => unsaved.length),
  },
  {
    ...{ name: 'drift', label: 'Differs from the site file', unit: '', join: 'most' },
    of: whileReachable(({ drift }) => drift?.length),
  },
  {
    ...{ name: 'uptime', label: 'Since it was switched on', unit: 'h', join: 'last' },
    of: whileReachable(({ uptime }) => (uptime === undefined ? undefined : uptime / 3600)),
  },
  ...sectorCurves,
];

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
