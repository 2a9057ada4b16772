import { scanner } from '../connection/current.js';
import { linkTo } from '../routing/route.js';
import type { Page } from './pages.js';

/** In place of a page that no scanner has: the address was mistyped, or is of another version. */
export function UnknownPage({ id }: { id: string }) {
  return (
    <div class="content">
      <h1>No such page</h1>
      <div class="empty">
        <p>
          The address names the page “{id}”, and there is none. It may be mistyped, or come from another
          version.
        </p>
        <a class="button" href={linkTo('')}>
          To the first page
        </a>
      </div>
    </div>
  );
}

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
