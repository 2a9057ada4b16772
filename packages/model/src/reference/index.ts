/** @packageDocumentation @experimental */

export { type Catalogue, type CatalogueEntry, type CatalogueGroup, catalogueOf } from './catalogue.js';

import { interfacePage } from './interface-page.js';
import { releasesPage } from './releases-page.js';

/** The generated pages of the documentation, by the name of their file. */
export function referencePages(): Readonly<Record<string, string>> {
  return { 'interface.md': interfacePage(), 'releases.md': releasesPage() };
}
