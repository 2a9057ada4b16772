import { Mutex } from '@azimuth/async';
import { type Site, type SiteScanner, TimedCache } from '@azimuth/http';
import type { MonitorClock } from '../clock.js';
import type { History } from '../history/history.js';
import type { LogStore } from '../log/log-store.js';
import type { ScannerSnapshot } from '../state/scanner-snapshot.js';
import { siteLog } from './site-log.js';
import { type SitePlace, siteRow } from './site-row.js';

export interface MonitorSiteOptions {
  /** The state of each scanner now. */
  readonly snapshots: () => Promise<readonly ScannerSnapshot[]>;
  readonly placeOf: (snapshot: ScannerSnapshot, index: number) => SitePlace;
  readonly history?: History | undefined;
  readonly store?: Pick<LogStore, 'read'> | undefined;
  readonly clock: Pick<MonitorClock, 'now'>;
}

/** A row of the list, and the name by which the monitor knows its scanner. */
interface Placed {
  readonly row: SiteScanner;
  readonly key: string;
}

/** Returns what a monitor knows of its scanners, for pages. */
export function siteOfMonitor({ snapshots, placeOf, history, store, clock }: MonitorSiteOptions): Site {
  const placed = new TimedCache(
    async (): Promise<readonly Placed[]> =>
      (await snapshots()).map((snapshot, index) => ({
        row: siteRow(snapshot, placeOf(snapshot, index)),
        key: snapshot.name,
      })),
  );
  const keyOf = async (path: string) => (await placed.get()).find(({ row }) => row.path === path)?.key ?? '';
  // Reading a log of years is work for one client at a time.
  const readings = new Mutex();
  return {
    rows: async () => (await placed.get()).map(({ row }) => row),
    history: history && {
      curves: async (path) => history.curvesOf(await keyOf(path)),
      points: async (path, name, since) => {
        const key = await keyOf(path);
        const curve = history.curvesOf(key).find((each) => each.name === name);
        return curve && { ...curve, points: history.points(key, name, clock.now(), since) };
      },
    },
    log:
      store &&
      ((query) =>
        readings.run(async () => {
          const rows = await placed.get();
          // Commands know some scanners only by their addresses.
          const known = new Map([
            ...rows.map(({ row }) => [row.url, row] as const),
            ...rows.map(({ row, key }) => [key, row] as const),
          ]);
          return siteLog(query, { store, clock, placeOf: (name) => known.get(name) });
        })),
  };
}
