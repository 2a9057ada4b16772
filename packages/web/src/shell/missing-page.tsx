import { scanner } from '../connection/current.js';
import { linkTo } from '../routing/route.js';
import type { Page } from './pages.js';

/** In place of a page that the scanner cannot have: an address may come from another scanner, or from before a change. */
export function MissingPage({ page }: { page: Page }) {
  const edition = scanner().edition.value;
  return (
    <div class="content">
      <h1>{page.title}</h1>
      <div class="empty">
        <p>
          This scanner does not have it
          {edition !== undefined && `: it runs release ${edition.release}, variant ${edition.variant}`}.
        </p>
        <a class="button" href={linkTo('overview')}>
          To the overview
        </a>
      </div>
    </div>
  );
}
