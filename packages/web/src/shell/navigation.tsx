import { choose, scanner, scanners } from '../connection/current.js';
import { linkTo } from '../routing/route.js';
import type { Page } from './pages.js';
import { openSearch } from './search.js';
import { setTheme, type Theme, theme } from './theme.js';

const sections = ['Watch', 'Set up', 'Maintain', 'Simulate'] as const;

export function Navigation({ pages, current }: { pages: readonly Page[]; current: Page | undefined }) {
  return (
    <nav class="nav" aria-label="Pages">
      <ScannerName />
      <button type="button" class="search-button" onClick={openSearch}>
        Search <kbd>/</kbd>
      </button>
      {sections.map((section) => {
        const own = pages.filter((page) => page.section === section);
        return (
          own.length > 0 && (
            <div key={section}>
              <h3>{section}</h3>
              <ul>
                {own.map((page) => (
                  <li key={page.id}>
                    <a
                      href={linkTo(page.id)}
                      aria-current={page === current ? 'page' : undefined}
                      aria-keyshortcuts={page.key === undefined ? undefined : `g ${page.key}`}
                    >
                      {page.title}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          )
        );
      })}
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
    </nav>
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
