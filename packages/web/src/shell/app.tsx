import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import {
  firstPath,
  followOpenScanner,
  isOfSeveral,
  openPath,
  openScanner,
  scanner,
  site,
} from '../connection/current.js';
import type { Edition } from '../connection/declarations.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { Dialogs, dismissQuestion } from '../parts/dialogs.js';
import { isFullScreen } from '../parts/full-screen.js';
import { setting } from '../parts/inputs.js';
import { PageContent } from '../parts/panels.js';
import { linkTo, nameScanner, route } from '../parts/route.js';
import { AbsenceBanner, MoveBanner } from './banners.js';
import { KeyHelp, useShortcuts } from './keys.js';
import { Navigation } from './navigation.js';
import { availableIn, lacks, type Page, pages } from './pages.js';
import { Search } from './search.js';
import { Strip } from './strip.js';

export function App() {
  useShortcuts();
  const page = pageOf(route.value);
  useOpenScanner(page);
  const link = openOn(page);
  const available = availableIn(pages, {
    isOpen: link !== undefined,
    edition: link?.edition.value,
    simulation: link?.hasSimulation.value === true,
    others: isOfSeveral.value,
    history: site.value?.history === true,
  });
  useFocusOnPage(page);
  useTopOfPage(page);
  useSignalEffect(() => {
    const shown = pageOf(route.value);
    const title = openOn(shown)?.title.value ?? 'All scanners';
    document.title = `${title} – ${shown?.title ?? 'No such page'}`;
  });
  const fills = isFullScreen.value && page?.id === 'live';
  return (
    <div class={fills ? 'shell full-screen' : 'shell'}>
      <Navigation pages={available} current={page} link={link} />
      {/* A page of all of them goes on when another one is opened. */}
      <main class="page" id="page" tabIndex={-1} key={page?.ofNone === true ? page.id : link?.url}>
        {link !== undefined && <AbsenceBanner key={`absence ${link.url}`} />}
        {link !== undefined && <MoveBanner key={`move ${link.url}`} />}
        <Content page={page} link={link} />
      </main>
      <Strip isOpen={link !== undefined} />
      <Search pages={available} link={link} />
      <KeyHelp pages={available} />
      <Dialogs />
    </div>
  );
}

/** The scanner that a page shows; undefined if it shows several, or if none is open. */
function openOn(page: Page | undefined): ScannerLink | undefined {
  return page?.ofSeveral === true && isOfSeveral.value ? undefined : openScanner.value;
}

/**
 * Follows the scanner of the address. An address without a scanner, for a page that needs one, gets the first one: so
 * it was before addresses named scanners.
 */
function useOpenScanner(page: Page | undefined): void {
  const path = openPath.value;
  useEffect(() => followOpenScanner(), [path]);
  useEffect(() => dismissQuestion, [path]);
  const wanted = page === undefined || page.ofSeveral || page.ofNone ? undefined : firstPath.value;
  useLayoutEffect(() => {
    if (path === undefined && wanted !== undefined) nameScanner(wanted);
  }, [path, wanted]);
}

function Content({ page, link }: { page: Page | undefined; link: ScannerLink | undefined }) {
  if (page === undefined) return <UnknownPage id={idIn(route.value)} />;
  if (link === undefined && page.ofSeveral !== true && page.ofNone !== true) return <NoScanner />;
  if (lacks(link?.edition.value, page)) return <MissingPage page={page} />;
  return <LazyPage page={page} key={page.id} />;
}

/** In place of a page of one scanner, while nobody knows any. */
function NoScanner() {
  return (
    <p class="empty">
      No scanner is open. <a href={linkTo('scanners')}>Choose one of the list</a>.
    </p>
  );
}

/** The page takes the focus after a key has opened it: the next Tab goes to its first control. */
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
  const id = idIn(address) || (isFullScreen.value ? 'live' : firstPage());
  return pages.find((page) => page.id === id);
}

function idIn(address: string): string {
  const [id = ''] = address.split('/');
  return id;
}

/** The list of scanners if there are several, and none is open; otherwise the overview. */
function firstPage(): string {
  return openPath.value === undefined && isOfSeveral.value ? 'scanners' : 'overview';
}

const loaded = new Map<string, ComponentType>();

/** A page, or that it is on its way. */
function LazyPage({ page }: { page: Page }) {
  const state = useSignal<'loading' | 'loaded' | 'failed'>(loaded.has(page.id) ? 'loaded' : 'loading');
  useSignalEffect(() => {
    if (state.value !== 'loading') return;
    page.load().then(
      ({ default: component }) => {
        loaded.set(page.id, component);
        state.value = 'loaded';
      },
      setting(state, 'failed'),
    );
  });
  const Content = loaded.get(page.id);
  if (Content !== undefined) return <Content />;
  if (state.value === 'failed') {
    return (
      <div class="empty">
        <p>This page could not be loaded: the scanner does not answer.</p>
        <button type="button" onClick={setting(state, 'loading')}>
          Try again
        </button>
      </div>
    );
  }
  return <p class="empty">Loading …</p>;
}

/** In place of a page that no scanner has: the address was mistyped, or is of another version. */
function UnknownPage({ id }: { id: string }) {
  return (
    <PageContent title="No such page">
      <div class="empty">
        <p>
          The address names the page “{id}”, and there is none. It may be mistyped, or come from another
          version.
        </p>
        <a class="button" href={linkTo('')}>
          To the first page
        </a>
      </div>
    </PageContent>
  );
}

/** Software of a scanner, in words. */
function runningText({ release, variant, version, known: { scanner } }: Edition): string {
  return scanner?.product === undefined
    ? `runs release ${release}, variant ${variant}`
    : `is a ${scanner.product}, and runs ${version ?? release}`;
}

/** In place of a page that the scanner cannot have: an address may come from another scanner, or from before a change. */
function MissingPage({ page }: { page: Page }) {
  const edition = scanner().edition.value;
  return (
    <PageContent title={page.title}>
      <div class="empty">
        <p>
          This scanner does not have it
          {edition !== undefined && `: it ${runningText(edition)}`}.
        </p>
        <a class="button" href={linkTo('overview')}>
          To the overview
        </a>
      </div>
    </PageContent>
  );
}
