import { type ReadonlySignal, signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { isOfSeveral, siteFeed } from '../connection/current.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { Modal } from '../parts/dialogs.js';
import { setting } from '../parts/inputs.js';
import { linkTo, linkToScanner, route } from '../parts/route.js';
import { addressOf } from './page-address.js';
import type { Page } from './pages.js';
import { entriesOf, entryOfScanner, type Hit, search } from './search-entries.js';

const isOpen = signal(false);

export function openSearch(): void {
  isOpen.value = true;
}

/** Number of hits that are listed. To find others, the person types more. */
const mostHits = 40;

interface Properties {
  readonly pages: readonly Page[];
  /** The open scanner; undefined if none of several is open. */
  readonly link: ScannerLink | undefined;
}

/** The search over pages, over every variable and method of the open scanner, and over all scanners. */
export function Search(properties: Properties) {
  return isOpen.value ? <SearchDialog {...properties} /> : null;
}

/** Scanners that are listed, at most: the words find the others. */
const mostScanners = 8;
/** ms between two questions for the scanners with the typed words. */
const scannersEvery = 10_000;

/** The scanners that have the typed words, as the server of the page finds them. */
function useFoundScanners(typed: ReadonlySignal<string>): readonly Hit[] {
  const query = useComputed(() => ({ q: typed.value, sort: 'name', limit: mostScanners }));
  const feed = useMemo(() => siteFeed(query, scannersEvery), [query]);
  const asks = isOfSeveral.value && typed.value.trim() !== '';
  useEffect(() => (asks ? feed.open() : undefined), [asks, feed]);
  if (!asks || !feed.isCurrent.value) return [];
  const [page = ''] = route.value.split('/');
  return (feed.answered.value?.list.scanners ?? []).map((row) => ({
    entry: entryOfScanner(
      row,
      linkToScanner(row.path, page === 'scanners' || page === '' ? 'overview' : page),
    ),
    part: undefined,
  }));
}

function SearchDialog({ pages, link }: Properties) {
  const typed = useSignal('');
  const addressed = pages.map((page) => ({ ...page, address: addressOf(page) }));
  const found = search(entriesOf(addressed, link?.edition.value, linkTo), typed.value);
  const hits = [...useFoundScanners(typed), ...found];
  const close = setting(isOpen, false);
  /** The page takes the focus, and gives it to the chosen entry. */
  const leave = () => {
    close();
    requestAnimationFrame(() => document.getElementById('page')?.focus({ preventScroll: true }));
  };
  const openFirst = (event: Event) => {
    event.preventDefault();
    const address = hits.find(({ entry }) => entry.address !== undefined)?.entry.address;
    if (address === undefined) return;
    location.hash = address;
    leave();
  };
  return (
    <Modal label="Search" close={close}>
      <form class="stack search" onSubmit={openFirst} onKeyDown={moveFocus}>
        <input
          type="search"
          aria-label={
            isOfSeveral.value
              ? 'Search scanners, pages, variables and methods'
              : 'Search pages, variables and methods'
          }
          placeholder={
            isOfSeveral.value ? 'Scanners, pages, variables, values' : 'Pages, variables, methods, values'
          }
          value={typed.value}
          // A browser would empty the field first, and close the search with the next Escape only.
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || event.isComposing) return;
            event.preventDefault();
            close();
          }}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <ul>
          {hits.slice(0, mostHits).map((hit) => (
            <HitLine key={`${hit.entry.address} ${hit.entry.title}`} hit={hit} leave={leave} />
          ))}
        </ul>
        <p class="soft small" role="status">
          {countOf(hits.length)}
        </p>
      </form>
    </Modal>
  );
}

function countOf(hits: number): string {
  if (hits === 0) return 'Nothing has this in its name, its values or its description.';
  return hits > mostHits ? `${mostHits} of ${hits}. Type more to see the others.` : `${hits} found.`;
}

function HitLine({ hit: { entry, part }, leave }: { hit: Hit; leave: () => void }) {
  const content = (
    <>
      {entry.title} {part !== undefined && <code class="small">{part}</code>}{' '}
      <span class="small soft">{entry.text}</span>
    </>
  );
  return (
    <li>
      {entry.address === undefined ? (
        <span class="nowhere">{content}</span>
      ) : (
        <a href={entry.address} onClick={leave}>
          {content}
        </a>
      )}
    </li>
  );
}

/** Arrow up and arrow down go through the list, and back to the typed text. */
function moveFocus(event: KeyboardEvent): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')];
  const now = stops.findIndex((stop) => stop.matches(':focus'));
  const next = stops[now + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
