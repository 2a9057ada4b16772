import { signal, useSignal } from '@preact/signals';
import { isOfSeveral, site } from '../connection/current.js';
import type { ScannerLink } from '../connection/scanner-link.js';
import { Choice, setting } from '../parts/inputs.js';
import { linkToScanner } from '../parts/route.js';
import { openKeyHelp } from './keys.js';
import { addressOf } from './page-address.js';
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

interface Properties {
  readonly pages: readonly Page[];
  readonly current: Page | undefined;
  /** The open scanner; undefined if none of several is open. */
  readonly link: ScannerLink | undefined;
}

export function Navigation({ pages, current, link }: Properties) {
  const open = useSignal(false);
  return (
    <nav
      class={open.value ? 'nav open' : 'nav'}
      aria-label="Pages"
      onKeyDown={({ key }) => {
        if (key === 'Escape') open.value = false;
      }}
    >
      <ScannerName link={link} />
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
              href={addressOf(page)}
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

/** The name of the open scanner. With several, the way back to all of them stands above it. */
function ScannerName({ link }: { link: ScannerLink | undefined }) {
  if (link === undefined) return <p class="name">All scanners</p>;
  const name = (
    <p class="name" title={link.shownUrl}>
      {link.title.value}
    </p>
  );
  if (!isOfSeveral.value) return name;
  return (
    <div class="one-of-several">
      <a href={linkToScanner('', 'scanners')} class="small">
        ‹ All scanners
        <Trouble />
      </a>
      {name}
    </div>
  );
}

/** Number of scanners that need somebody, of all. */
function Trouble() {
  const { bad = 0, warn = 0 } = site.value?.severities ?? {};
  const trouble = bad + warn;
  return trouble === 0 ? null : (
    <span class={bad > 0 ? 'state bad' : 'state warn'}> {trouble} in trouble</span>
  );
}
