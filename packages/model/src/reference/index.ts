/** @packageDocumentation @internal */

import { blocks, link, list } from '@azimuth/wording';
import type { Declaration } from '../declaration.js';
import { loginLevels } from '../envelope.js';
import { groups, groupsOf } from '../interface.js';
import type { Edition, Product } from '../product.js';
import { builtInProduct } from '../product-definition/index.js';
import { newestRelease, releases } from '../release.js';
import { entryOf } from './entries.js';

export { type Catalogue, type CatalogueEntry, type CatalogueGroup, catalogueOf } from './catalogue.js';

import { faultPage } from './faults-page.js';
import { releasesPage } from './releases-page.js';

/** Returns the generated pages of the documentation, by the name of their file. */
export function referencePages(): Readonly<Record<string, string>> {
  return { 'interface.md': interfacePage(), 'releases.md': releasesPage(), 'fault-kinds.md': faultPage() };
}

/**
 * Returns the reference of a product as a page: everything that a scanner of this version has.
 * @param version of the product; the newest one by default
 */
export function productReference(product: Product, version?: string): string {
  const release = product.releases.find((one) => one.version === version) ?? product.releases.at(-1);
  if (release === undefined) throw new TypeError('the product has no version');
  const edition: Edition = {
    release: release.base,
    variant: 'full',
    ...(product === builtInProduct ? {} : { product, version: release.version }),
  };
  const present = groupsOf(edition)
    .map(({ name, members }) => ({
      name,
      members: Object.values(members).filter((member) => member.isIn(edition)),
    }))
    .filter(({ members }) => members.length > 0);
  return `${blocks([
    `# The interface of ${product.name} ${release.version}`,
    introductionOf(product, release.version),
    list(present.map(({ name, members }) => `${link(name, name)} (${members.length})`)),
    ...present.map(({ name, members }) => sectionOf(name, members, edition)),
  ])}\n`;
}

function introductionOf({ deviceType, realm, headerPrefix }: Product, version: string): string {
  return `The device type is ${deviceType}, and the realm of logins is \`${realm}\`.

${rules(version)}
- If a request is refused, the response header \`${headerPrefix}-Detail\` says why.`;
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

/** Rules for all names. @param release that the defaults are of */
const rules = (release: string) => `- The path of each name is \`/api/\`, followed by the name.
- You can read a variable without a login.
- If a user level is required, a higher one is also allowed. The levels from low to high: ${loginLevels.join(', ')}.
- The defaults are those of a new scanner with release ${release}.
- A request must contain all its members, even those with a default. Optional members are marked.`;

const introduction = `\`npm run docs\` makes this page from the declarations in \`packages/model\`: change those, not this page.

This page describes all releases (${releases.join(', ')}) and variants. [releases.md](releases.md) lists what each of
them has. \`/openapi.json\` of a running scanner describes that scanner only.

${rules(newestRelease)}`;

function sectionOf(name: string, members: readonly Declaration[], edition?: Edition): string {
  return blocks([
    `## ${name}`,
    members.map((member) => link(member.name, member.name)).join(' · '),
    ...members.map((member) => entryOf(member, edition)),
  ]);
}
