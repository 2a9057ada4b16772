import { useSignal } from '@preact/signals';
import { scanner, scanners } from '../connection/current.js';
import { Menu } from '../parts/menu.js';
import { choose, mostShown, shownOf } from './shown-scanners.js';

/** So many scanners are listed at once. A filter finds the others. */
const mostListed = 50;

/** Chooses which scanners are in the view. Nothing if there is only one. */
export function ShownMenu() {
  const filter = useSignal('');
  const all = scanners.value;
  if (all.length < 2) return null;
  const shown = shownOf(all, scanner());
  const wanted = filter.value.trim().toLowerCase();
  const found = all.filter(
    ({ title, shownAddress }) => title.value.toLowerCase().includes(wanted) || shownAddress.includes(wanted),
  );
  return (
    <Menu label={`Scanners: ${shown.length} of ${all.length}`}>
      {all.length > 8 && (
        <input
          type="search"
          aria-label="Filter scanners"
          placeholder="Filter"
          value={filter.value}
          onInput={({ currentTarget }) => {
            filter.value = currentTarget.value;
          }}
        />
      )}
      {all.length > 8 && (
        <button type="button" disabled={found.length === 0} onClick={() => choose(found)}>
          {wanted === '' ? `Show the first ${Math.min(mostShown, found.length)}` : 'Show those found'}
        </button>
      )}
      {found.slice(0, mostListed).map((link) => {
        const isShown = shown.includes(link);
        return (
          <label class="row" key={link.url}>
            <input
              type="checkbox"
              checked={isShown}
              // The view is of one scanner at least, and of so many at most.
              disabled={isShown ? shown.length === 1 : shown.length >= mostShown}
              onChange={() => choose(isShown ? shown.filter((one) => one !== link) : [...shown, link])}
            />
            {link.title.value}
          </label>
        );
      })}
      {found.length > mostListed && <p class="soft small">and {found.length - mostListed} more</p>}
    </Menu>
  );
}
