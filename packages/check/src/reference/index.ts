/** @packageDocumentation @internal */

import { casesPage } from './cases-page.js';

/** Returns the generated pages of the documentation, by the name of their file. */
export function casePages(): Readonly<Record<string, string>> {
  return { 'check-cases.md': casesPage() };
}
