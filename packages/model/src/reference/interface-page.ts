import type { Declaration } from '../declaration.js';
import { groups } from '../interface.js';
import { blocks, link, list } from '../markdown.js';
import { newestRelease, releases } from '../release.js';
import { entryOf } from './entries.js';

/** Every variable, method and file of the interface, group by group. */
export function interfacePage(): string {
  return `${blocks([
    '# The interface',
    introduction,
    list(groups.map(({ name, members }) => `${link(name, name)} (${Object.keys(members).length})`)),
    ...groups.map((group) => sectionOf(group.name, Object.values<Declaration>(group.members))),
  ])}\n`;
}

const introduction = `Made from the declarations in \`packages/model\` by \`npm run docs\`; changes belong there.

All releases (${releases.join(', ')}) and both variants are on this page;
[releases](releases.md) has them one by one, and \`/openapi.json\` of a running scanner exactly its own. Everything is at
\`/api/\` and its name. Anybody may read a variable. Where a user level is required, a higher one is
enough, too; the levels in rising order are Maintenance, AuthorizedClient, Service. Defaults are those that release ${newestRelease} leaves the factory with; a request
states all its members, whatever their default, but those that may be left out.`;

function sectionOf(name: string, members: readonly Declaration[]): string {
  return blocks([
    `## ${name}`,
    members.map((member) => link(member.name, member.name)).join(' · '),
    ...members.map(entryOf),
  ]);
}
