import { useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { scanner, scanners } from '../connection/current.js';
import { Dialogs } from '../parts/dialogs.js';
import { route } from '../routing/route.js';
import { AbsenceBanner } from './absence-banner.js';
import { KeyHelp } from './key-help.js';
import { LazyPage } from './lazy-page.js';
import { MissingPage, UnknownPage } from './missing-page.js';
import { MoveBanner } from './move-banner.js';
import { Navigation } from './navigation.js';
import { availableIn, lacks } from './need.js';
import { type Page, pages } from './pages.js';
import { Search } from './search.js';
import { useShortcuts } from './shortcuts.js';
import { Strip } from './strip.js';

/** The whole GUI: navigation, the page, the strip that is always in sight. */
export function App() {
  useEffect(() => {
    for (const link of scanners.peek()) link.open();
  }, []);
  useShortcuts();
  const link = scanner();
  const available = availableIn(pages, {
    edition: link.edition.value,
    simulation: link.hasSimulation.value,
    others: scanners.value.length > 1,
  });
  const page = pageOf(route.value);
  useFocusOnPage(page);
  useTopOfPage(page);
  useSignalEffect(() => {
    document.title = `${scanner().title.value} – ${pageOf(route.value)?.title ?? 'No such page'}`;
  });
  return (
    <div class="shell">
      <Navigation pages={available} current={page} />
      <main class="page" id="page" tabIndex={-1} key={link.url}>
        <AbsenceBanner />
        <MoveBanner />
        {page === undefined ? (
          <UnknownPage id={idIn(route.value)} />
        ) : lacks(link.edition.value, page) ? (
          <MissingPage page={page} />
        ) : (
          <LazyPage page={page} key={page.id} />
        )}
      </main>
      <Strip isOpen={page?.ofSeveral !== true || scanners.value.length < 2} />
      <Search pages={available} />
      <KeyHelp pages={available} />
      <Dialogs />
    </div>
  );
}

/** A page that was opened by keys takes the focus: the next Tab goes to its first control. */
function useFocusOnPage(page: Page | undefined): void {
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && document.activeElement === document.body) {
      document.getElementById('page')?.focus({ preventScroll: true });
    }
    isFirst.current = false;
  }, [page?.id]);
}

/** A page begins at its top, wherever the page before was scrolled to. */
function useTopOfPage(page: Page | undefined): void {
  useLayoutEffect(() => {
    document.getElementById('page')?.scrollTo({ top: 0, behavior: 'instant' });
  }, [page?.id]);
}

/** The page of an address; undefined if there is none of its name. Without a name, it is the first page. */
function pageOf(address: string): Page | undefined {
  const id = idIn(address) || firstPage();
  return pages.find((page) => page.id === id);
}

function idIn(address: string): string {
  const [id = ''] = address.split('/');
  return id;
}

/** The list of scanners if there are several, otherwise the overview. */
function firstPage(): string {
  return scanners.value.length > 1 ? 'scanners' : 'overview';
}
