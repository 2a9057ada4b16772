import { signal, useSignal } from '@preact/signals';
import { choose, scanner, scanners } from '../connection/current.js';
import { Choice, setting } from '../parts/inputs.js';
import { linkTo } from '../parts/route.js';
import { openKeyHelp } from './keys.js';
import type { Page } from './pages.js';
import { openSearch } from './search.js';

const themeKey = 'theme';
const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const theme = signal<Theme>(themes.find((one) => one === localStorage.getItem(themeKey)) ?? 'system');

function setTheme(wanted: Theme): void {
  theme.value = wanted;
  localStorage.setItem(themeKey, wanted);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme.peek();
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
      <button type="button" onClick={openSearch}>
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
            chosen={setting(open, false)}
          />
        ))}
        <Choice
          words="Colours "
          kind="small soft"
          value={theme.value}
          options={[
            ['system', 'as the system'],
            ['light', 'light'],
            ['dark', 'dark'],
          ]}
          choose={setTheme}
        />
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
              aria-keyshortcuts={`g ${page.key}`}
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
    <Choice
      class="name"
      label="Scanner"
      value={current.shownUrl}
      options={scanners.value.map(({ shownUrl, title }) => [shownUrl, title.value])}
      choose={(url) => {
        const chosen = scanners.value.find(({ shownUrl }) => shownUrl === url);
        if (chosen !== undefined) choose(chosen);
      }}
    />
  );
}
