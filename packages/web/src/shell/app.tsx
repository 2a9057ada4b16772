import { useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { scanner, scanners } from '../connection/current.js';
import { Dialogs } from '../parts/dialogs.js';
import { route } from '../routing/route.js';
import { LazyPage } from './lazy-page.js';
import { Navigation } from './navigation.js';
import { pages, pagesOf } from './pages.js';
import { Search } from './search.js';
import { useShortcuts } from './shortcuts.js';
import { Strip } from './strip.js';

/** The whole GUI: navigation, the page, the strip that is always in sight. */
export function App() {
  useEffect(() => {
    for (const link of scanners.peek()) link.open();
  }, []);
  useShortcuts();
  const link = scanner();
  const available = pagesOf(link.edition.value);
  const [id = ''] = route.value.split('/');
  const page = pages.find((one) => one.id === id) ?? pages[0];
  useSignalEffect(() => {
    document.title = `${scanner().title.value} – ${page?.title ?? ''}`;
  });
  return (
    <div class="shell">
      <Navigation pages={available} current={page} />
      <main class="page" id="page" tabIndex={-1} key={link.url}>
        {page !== undefined && <LazyPage page={page} key={page.id} />}
      </main>
      <Strip />
      <Search pages={available} />
      <Dialogs />
    </div>
  );
}
