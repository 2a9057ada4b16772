import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { scanner, scanners } from '../connection/current.js';
import type { Edition } from '../connection/declarations.js';
import { Dialogs } from '../parts/dialogs.js';
import { setting } from '../parts/inputs.js';
import { PageContent } from '../parts/panels.js';
import { linkTo, route } from '../parts/route.js';
import { AbsenceBanner, MoveBanner } from './banners.js';
import { KeyHelp, useShortcuts } from './keys.js';
import { Navigation } from './navigation.js';
import { availableIn, lacks, type Page, pages } from './pages.js';
import { Search } from './search.js';
import { Strip } from './strip.js';

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

/** What a scanner runs, in words. */
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
