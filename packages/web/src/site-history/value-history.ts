import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { pathOf, site } from '../connection/current.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { SiteFault } from '../site/site-answer.js';
import { askCurve } from './ask-history.js';
import type { HistoryPoint } from './history-answer.js';

/**
 * Values of a scanner from before now, as the server of the page knows them; empty if it knows none.
 * @param name of the curve @param back ms
 */
export function useValueHistory(link: ScannerLink, name: string, back: number): readonly HistoryPoint[] {
  const points = useSignal<readonly HistoryPoint[]>([]);
  const isKnown = site.value?.history === true;
  useEffect(() => {
    points.value = [];
    if (!isKnown) return undefined;
    const asking = new AbortController();
    askCurve(pathOf(link), name, Date.now() - back, asking.signal)
      .then((known) => {
        points.value = known;
      })
      .catch((error: unknown) => {
        // The page of the history says what is wrong. The curve begins now.
        if (!asking.signal.aborted && !(error instanceof SiteFault)) throw error;
      });
    return () => asking.abort();
  }, [link, name, back, isKnown, points]);
  return points.value;
}
