import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { isOfSeveral, pathOf, site, siteFeed } from '../connection/current.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { SearchInput, Tick } from '../parts/inputs.js';
import { Menu } from '../parts/menu.js';
import { choose, mostShown } from './shown-scanners.js';

/** Number of scanners that are listed at once. A filter finds the others. */
const mostListed = 50;
/** ms between two questions for the list of the menu. */
const every = 5000;

/** Chooses which scanners are in the view. Nothing if there is only one. */
export function ShownMenu({ shown }: { shown: readonly ScannerLink[] }) {
  if (!isOfSeveral.value) return null;
  return (
    <Menu label={`Scanners: ${shown.length} of ${site.value?.total ?? shown.length}`}>
      <Found shown={shown} />
    </Menu>
  );
}

function Found({ shown }: { shown: readonly ScannerLink[] }) {
  const filter = useSignal('');
  const query = useComputed(() => ({ q: filter.value, sort: 'name', limit: mostListed }));
  const feed = useMemo(() => siteFeed(query, every), [query]);
  useEffect(() => feed.open(), [feed]);
  const list = feed.answered.value?.list;
  if (list === undefined) return <p class="soft small">Asking which scanners there are …</p>;
  const rows = list.scanners;
  const chosen = shown.map((link) => ({ path: pathOf(link), url: link.shownUrl }));
  return (
    <>
      {list.total > 8 && <SearchInput label="Filter scanners" placeholder="Filter" typed={filter} />}
      {list.total > 8 && (
        <button
          type="button"
          disabled={rows.length === 0 || !feed.isCurrent.value}
          onClick={() => choose(rows)}
        >
          {filter.value.trim() === ''
            ? `Show the first ${Math.min(mostShown, rows.length)}`
            : 'Show those found'}
        </button>
      )}
      {rows.map((row) => {
        const isShown = chosen.some(({ path }) => path === row.path);
        const others = chosen.filter(({ path }) => path !== row.path);
        return (
          <Tick
            key={row.path}
            checked={isShown}
            // The view shows at least one scanner, and at most `mostShown`.
            disabled={isShown ? others.length === 0 : others.length >= mostShown}
            change={() => choose(isShown ? others : [...others, row])}
          >
            {row.name}
          </Tick>
        );
      })}
      {list.matching > rows.length && <p class="soft small">and {list.matching - rows.length} more</p>}
    </>
  );
}
