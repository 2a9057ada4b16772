import type { SiteScanner } from '@azimuth/http/site';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { followScanner, isOfSeveral, openPath, scannerAt, siteRows } from '../connection/current.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { SiteFault } from '../site/site-answer.js';

/** Scanners that are offered at the same time. A search finds the others. */
const mostOffered = 30;

/** A scanner that is offered. It is not followed before it is chosen, so only the list knows its name. */
interface OfferedScanner {
  readonly link: ScannerLink;
  readonly name: string;
}

/** The scanners of the page except the open one, by words that were typed; none if the page has one scanner. */
export function useOtherScanners(typed: string): readonly OfferedScanner[] {
  const rows = useSignal<readonly SiteScanner[]>([]);
  const own = openPath.value;
  const isSeveral = isOfSeveral.value;
  useEffect(() => {
    if (!isSeveral) return undefined;
    const stop = new AbortController();
    void rowsOf(typed, stop.signal).then((found) => {
      if (!stop.signal.aborted) rows.value = found;
    });
    return () => stop.abort();
  }, [typed, isSeveral, rows]);
  const shown = rows.value;
  return useMemo(
    () =>
      shown
        .filter(({ path }) => path !== own)
        .map((row) => ({ link: scannerAt(row), name: row.location || row.name })),
    [shown, own],
  );
}

async function rowsOf(q: string, aborted: AbortSignal): Promise<readonly SiteScanner[]> {
  try {
    return (await siteRows({ q, limit: mostOffered, sort: 'name' }, aborted)).scanners;
  } catch (error) {
    if (aborted.aborted || error instanceof SiteFault) return [];
    throw error;
  }
}

/** Follows scanners while they are chosen. @param paths of them */
export function useFollowed(paths: readonly string[]): void {
  const key = paths.join(' ');
  useEffect(() => {
    const ends = paths.map(followScanner);
    return () => {
      for (const end of ends) end();
    };
  }, [key]);
}
