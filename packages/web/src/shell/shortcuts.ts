import { useEffect } from 'preact/hooks';
import { go } from '../routing/route.js';
import { openKeyHelp } from './key-help.js';
import { pages } from './pages.js';
import { openSearch } from './search.js';

/** ms within which the second key of `g l` must come. */
const pairWithin = 1200;

/** `/` opens the search, `?` the list of keys, `g` and a letter a page. Keys of fields that are typed into are left alone. */
export function useShortcuts(): void {
  useEffect(() => {
    let gAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyped(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        openSearch();
      } else if (event.key === '?') {
        event.preventDefault();
        openKeyHelp();
      } else if (event.key === 'g') {
        gAt = event.timeStamp;
      } else if (event.timeStamp - gAt < pairWithin) {
        gAt = Number.NEGATIVE_INFINITY;
        const page = pages.find(({ key }) => key === event.key);
        if (page === undefined) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        go(page.id);
      }
    };
    // Before the pages, which have keys of their own.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
}

function isTyped(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, select, textarea, dialog, [contenteditable]') !== null
  );
}
