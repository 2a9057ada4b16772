import { type ReadonlySignal, signal, useSignal } from '@preact/signals';
import { choose, scanner, scanners } from '../connection/current.js';
import { linkTo } from '../parts/route.js';
import { openKeyHelp } from './keys.js';
import type { Page } from './pages.js';
import { openSearch } from './search.js';

const key = 'theme';
type Theme = 'system' | 'light' | 'dark';

function isTheme(word: string | null): word is Theme {
  return word === 'system' || word === 'light' || word === 'dark';
}

const kept = localStorage.getItem(key);
const chosen = signal<Theme>(isTheme(kept) ? kept : 'system');

export const theme: ReadonlySignal<Theme> = chosen;

function setTheme(wanted: Theme): void {
  chosen.value = wanted;
  localStorage.setItem(key, wanted);
  apply();
}

/** Applies the theme that was chosen in this browser. */
export function apply(): void {
  document.documentElement.dataset.theme = chosen.peek();
}

export function Navigation({ pages, current }: { pages: readonly Page[]; current: Page | undefined }) {
  const open = useSignal(false);
  return (
    <nav
      class={open.value ? 'nav open' : 'nav'}
      aria-label="Pages"
      onKeyDown={({ key }) => {
        if (key === 'Escape') open.value = false;
      }}
    >
      <ScannerName />
      <button type="button" class="search-button" onClick={openSearch}>
        Search <kbd>/</kbd>
      </button>
      <button
        type="button"
        class="menu-button"
        aria-expanded={open.value}
        aria-controls="page-list"
        onClick={() => {
          open.value = !open.value;
        }}
      >
        Menu
      </button>
      <div class="page-list" id="page-list">
        {[...new Set(pages.map(({ section }) => section))].map((section) => (
          <Section
            key={section}
            title={section}
            pages={pages.filter((page) => page.section === section)}
            current={current}
            chosen={() => {
              open.value = false;
            }}
          />
        ))}
        <label class="theme small soft">
          Colours{' '}
          <select
            value={theme.value}
            onChange={({ currentTarget }) => setTheme(themeNamed(currentTarget.value))}
          >
            <option value="system">as the system</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
        <button type="button" class="plain small keys-button" onClick={openKeyHelp}>
          Keys <kbd>?</kbd>
        </button>
      </div>
    </nav>
  );
}

interface SectionProperties {
  readonly title: string;
  readonly pages: readonly Page[];
  readonly current: Page | undefined;
  /** Called when a page is opened. */
  readonly chosen: () => void;
}

function Section({ title, pages, current, chosen }: SectionProperties) {
  if (pages.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {pages.map((page) => (
          <li key={page.id}>
            <a
              href={linkTo(page.id)}
              aria-current={page === current ? 'page' : undefined}
              aria-keyshortcuts={page.key === undefined ? undefined : `g ${page.key}`}
              onClick={chosen}
            >
              {page.title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The name of the scanner that is shown; with several, a choice. */
function ScannerName() {
  const current = scanner();
  if (scanners.value.length === 1) {
    return (
      <p class="name" title={current.shownUrl}>
        {current.title.value}
      </p>
    );
  }
  return (
    <select
      class="name"
      aria-label="Scanner"
      value={current.shownUrl}
      onChange={({ currentTarget }) => {
        const chosen = scanners.value.find(({ shownUrl }) => shownUrl === currentTarget.value);
        if (chosen !== undefined) choose(chosen);
      }}
    >
      {scanners.value.map((link) => (
        <option key={link.shownUrl} value={link.shownUrl}>
          {link.title.value}
        </option>
      ))}
    </select>
  );
}

function themeNamed(word: string): Theme {
  return word === 'light' || word === 'dark' ? word : 'system';
}
