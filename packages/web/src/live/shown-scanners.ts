import { pause } from '@azimuth/async';
import type { SiteScanner } from '@azimuth/http/site';
import { isObject } from '@azimuth/model';
import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { followScanner, isOfSeveral, openPath, scanner, scannerAt, siteRows } from '../connection/current.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { isScannerPath, SiteFault } from '../site/site-answer.js';

/** Key of the chosen scanners in the storage of this browser. */
const key = 'live-shown';

/** Number of scanners that are shown without a choice: more of them in one plan are hard to distinguish. */
export const mostAtFirst = 8;

/** Largest number of scanners that can be shown. A browser opens at most 255 WebSockets, and each scanner needs two. */
export const mostShown = 40;

/** ms until a question that was not answered is repeated. */
const againAfter = 3000;

/** A scanner that was chosen. Its path may lead to another one after the server has started anew. */
export type ChosenScanner = Pick<SiteScanner, 'path' | 'url'>;

const stored: Signal<readonly ChosenScanner[] | undefined> = signal(readStored());

/**
 * Returns the scanners of the live view, in their order.
 * @param rows an answer to `shownQuery`
 * @param open path of the scanner whose pages are open: it is the first of them if nobody has chosen
 * @param chosen undefined if nobody has chosen
 */
export function shownOf<T extends ChosenScanner>(
  rows: readonly T[],
  open: string | undefined,
  chosen: readonly ChosenScanner[] | undefined,
): readonly T[] {
  const shown = rows.filter(({ path, url }) => chosen?.some((one) => one.path === path && one.url === url));
  // A choice of scanners that are none of these now is none.
  if (shown.length > 0) return shown.slice(0, mostShown);
  const first = rows.filter(({ path }) => path === open);
  return [...first, ...rows.filter(({ path }) => path !== open)].slice(0, mostAtFirst);
}

/** Shows these scanners, and stores the choice in this browser. An empty list clears the choice. */
export function choose(scanners: readonly ChosenScanner[]): void {
  stored.value = scanners.slice(0, mostShown).map(({ path, url }) => ({ path, url }));
  localStorage.setItem(key, JSON.stringify(stored.value));
}

/** The scanners of the live view, followed while it is open; undefined until it is known which ones they are. */
export function useShown(): readonly ScannerLink[] | undefined {
  const rows = useSignal<readonly SiteScanner[] | undefined>(undefined);
  const isSeveral = isOfSeveral.value;
  const open = openPath.value;
  const chosen = stored.value;
  const chosenBefore = useRef(chosen);
  useEffect(() => {
    if (!isSeveral) return undefined;
    // Those that are shown stay in their places while one of them is opened.
    const isShown = rows.peek()?.some(({ path }) => path === open) === true;
    if (isShown && chosenBefore.current === chosen) return undefined;
    const stop = new AbortController();
    void askUntilAnswered(open, chosen, stop.signal).then((found) => {
      if (found === undefined) return;
      chosenBefore.current = chosen;
      rows.value = found;
    });
    return () => stop.abort();
  }, [isSeveral, open, chosen, rows]);
  const paths = rows.value?.map(({ path }) => path).join(' ');
  useEffect(() => {
    const ends = (rows.peek() ?? []).map(({ path }) => followScanner(path));
    return () => {
      for (const end of ends) end();
    };
  }, [paths, rows]);
  // Sources of the scanners that are still shown keep their history.
  const several = useMemo(() => rows.peek()?.map(scannerAt), [paths, rows]);
  return useMemo(() => (isSeveral ? several : [scanner()]), [isSeveral, several]);
}

async function askUntilAnswered(
  open: string | undefined,
  chosen: readonly ChosenScanner[] | undefined,
  aborted: AbortSignal,
): Promise<readonly SiteScanner[] | undefined> {
  while (!aborted.aborted) {
    try {
      return await shownRows(open, chosen, aborted);
    } catch (error) {
      if (!aborted.aborted && !(error instanceof SiteFault)) throw error;
      await pause(againAfter, aborted);
    }
  }
  return undefined;
}

async function shownRows(
  open: string | undefined,
  chosen: readonly ChosenScanner[] = [],
  aborted: AbortSignal,
): Promise<readonly SiteScanner[]> {
  if (chosen.length > 0) {
    const { scanners } = await siteRows({ path: chosen.map(({ path }) => path), sort: 'name' }, aborted);
    if (scanners.some(({ path, url }) => chosen.some((one) => one.path === path && one.url === url)))
      return shownOf(scanners, open, chosen);
  }
  const own = open === undefined ? [] : (await siteRows({ path: [open] }, aborted)).scanners;
  const { scanners } = await siteRows({ sort: 'name', limit: mostAtFirst }, aborted);
  return shownOf([...own, ...scanners.filter(({ path }) => path !== open)], open, undefined);
}

function readStored(): readonly ChosenScanner[] | undefined {
  try {
    const json: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    if (!Array.isArray(json)) return undefined;
    return json.filter(isObject).flatMap(({ path, url }) => {
      return isScannerPath(path) && typeof url === 'string' ? { path, url } : [];
    });
  } catch {
    return undefined;
  }
}
