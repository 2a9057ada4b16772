import { signal, useComputed, useSignal } from '@preact/signals';
import { scanner } from '../connection/current.js';
import { Modal } from '../parts/dialogs.js';
import { setting } from '../parts/inputs.js';
import { go, linkTo } from '../parts/route.js';
import type { Page } from './pages.js';
import { entriesOf, type Hit, search } from './search-entries.js';

const isOpen = signal(false);

export function openSearch(): void {
  isOpen.value = true;
}

/** Number of hits that are listed. To find others, the person types more. */
const mostHits = 40;

/** The search over pages, and over every variable and method of the scanner. */
export function Search({ pages }: { pages: readonly Page[] }) {
  return isOpen.value ? <SearchDialog pages={pages} /> : null;
}

function SearchDialog({ pages }: { pages: readonly Page[] }) {
  const typed = useSignal('');
  const entries = useComputed(() => entriesOf(pages, scanner().edition.value)).value;
  const hits = search(entries, typed.value);
  const close = setting(isOpen, false);
  /** The page takes the focus, and gives it to the chosen entry. */
  const leave = () => {
    close();
    requestAnimationFrame(() => document.getElementById('page')?.focus({ preventScroll: true }));
  };
  const openFirst = (event: Event) => {
    event.preventDefault();
    const place = hits.find(({ entry }) => entry.place !== undefined)?.entry.place;
    if (place === undefined) return;
    go(place.page, place.rest);
    leave();
  };
  return (
    <Modal label="Search" close={close}>
      <form class="stack search" onSubmit={openFirst} onKeyDown={moveFocus}>
        <input
          type="search"
          aria-label="Search pages, variables and methods"
          placeholder="Pages, variables, methods, values"
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
            <HitLine key={`${hit.entry.title} ${hit.entry.text}`} hit={hit} leave={leave} />
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
  if (hits === 0) return 'Nothing of this scanner has this in its name, its values or its description.';
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
      {entry.place === undefined ? (
        <span class="nowhere">{content}</span>
      ) : (
        <a href={linkTo(entry.place.page, entry.place.rest)} onClick={leave}>
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
