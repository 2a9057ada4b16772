import { useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { scanner, scanners } from '../connection/current.js';
import { Dialogs } from '../parts/dialogs.js';
import { route } from '../routing/route.js';
import { AbsenceBanner } from './absence-banner.js';
import { LazyPage } from './lazy-page.js';
import { MoveBanner } from './move-banner.js';
import { Navigation } from './navigation.js';
import { availableIn } from './need.js';
import { pages } from './pages.js';
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
  const available = availableIn(pages, link.edition.value);
  const [id = ''] = route.value.split('/');
  const page = pages.find((one) => one.id === id) ?? pages[0];
  useSignalEffect(() => {
    document.title = `${scanner().title.value} – ${page?.title ?? ''}`;
  });
  return (
    <div class="shell">
      <Navigation pages={available} current={page} />
      <main class="page" id="page" tabIndex={-1} key={link.url}>
        <AbsenceBanner />
        <MoveBanner />
        {page !== undefined && <LazyPage page={page} key={page.id} />}
      </main>
      <Strip />
      <Search pages={available} />
      <Dialogs />
    </div>
  );
}
