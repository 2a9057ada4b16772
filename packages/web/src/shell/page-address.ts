import { linkTo, linkToScanner } from '../parts/route.js';
import type { Page } from './pages.js';

/** The address of a page: of the open scanner, or of all. */
export function addressOf({ id, ofSeveral }: Pick<Page, 'id' | 'ofSeveral'>): string {
  return ofSeveral === true ? linkToScanner('', id) : linkTo(id);
}
