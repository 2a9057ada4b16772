/** @packageDocumentation @internal */

import { blocks, link, list } from '@azimuth/wording';
import type { Declaration } from '../declaration.js';
import { loginLevels } from '../envelope.js';
import { groups } from '../interface.js';
import { newestRelease, releases } from '../release.js';
import { entryOf } from './entries.js';

export { type Catalogue, type CatalogueEntry, type CatalogueGroup, catalogueOf } from './catalogue.js';

import { faultPage } from './faults-page.js';
import { releasesPage } from './releases-page.js';

/** Returns the generated pages of the documentation, by the name of their file. */
export function referencePages(): Readonly<Record<string, string>> {
  return { 'interface.md': interfacePage(), 'releases.md': releasesPage(), 'fault-kinds.md': faultPage() };
}

/** Lists every variable, method and file of the interface, group by group. */
function interfacePage(): string {
  return `${blocks([
    '# The interface',
    introduction,
    list(groups.map(({ name, members }) => `${link(name, name)} (${Object.keys(members).length})`)),
    ...groups.map((group) => sectionOf(group.name, Object.values<Declaration>(group.members))),
  ])}\n`;
}

const introduction = `\`npm run docs\` makes this page from the declarations in \`packages/model\`: change those, not this page.

This page describes all releases (${releases.join(', ')}) and variants. [releases.md](releases.md) lists what each of
them has. \`/openapi.json\` of a running scanner describes that scanner only.

- The path of each name is \`/api/\`, followed by the name.
- You can read a variable without a login.
- If a user level is required, a higher one is also allowed. The levels from low to high: ${loginLevels.join(', ')}.
- The defaults are those of a new scanner with release ${newestRelease}.
- A request must contain all its members, even those with a default. Optional members are marked.`;

function sectionOf(name: string, members: readonly Declaration[]): string {
  return blocks([
    `## ${name}`,
    members.map((member) => link(member.name, member.name)).join(' · '),
    ...members.map(entryOf),
  ]);
}
