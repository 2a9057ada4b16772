import { blocks, code, link, list, table } from '@azimuth/wording';
import { type Declaration, Variable } from '../declaration.js';
import { loginLevels } from '../envelope.js';
import { enabledAtFactory } from '../groups/cybersecurity.js';
import { allEndpoints, allFiles, allVariables, eventsOf, eventsSince } from '../interface.js';
import { hasAllOf, oldestRelease, type Release, releases, type Variant, variants } from '../release.js';
import { factoryValues } from './entries.js';

const everything: readonly Declaration[] = [...allEndpoints, ...allFiles];

/** Lists the differences between the releases and between the variants. */
export function releasesPage(): string {
  return `${blocks([
    '# Releases and variants',
    introduction,
    '## Numbers',
    table(
      ['release', 'variant', 'variables', 'methods', 'files', 'events'],
      releases.flatMap((release) => variants.map((variant) => countsOf(release, variant))),
    ),
    ...releases.flatMap(changesOf),
    ...variants
      .slice(1)
      .flatMap((variant) => [
        `## What ${variant} does not have`,
        'In addition to what its release does not have.',
        byGroup(everything.filter((one) => one.variant !== undefined && !hasAllOf(variant, one.variant))),
      ]),
    '## Defaults that differ',
    table(['variable', 'in a scanner that', 'default'], differingDefaults()),
    '## User levels at the factory',
    'Which levels can log in to a new scanner, over REST and over the legacy protocol. An update does not change this.',
    table(
      ['level', ...releases],
      loginLevels.map((level) => [
        level,
        ...releases.map((release) => (enabledAtFactory(level, release) ? 'on' : 'off')),
      ]),
    ),
    '## Session tokens',
    'These transfers need a `X-Session-Token`, from the named release on:',
    list(tokenTransfers()),
    '## By name',
    'Everything that is not in all releases and variants. The variant is the least equipped one that has it.',
    table(['name', 'group', 'since', 'before', 'variant'], limited()),
  ])}\n`;
}

const introduction = `\`npm run docs\` makes this page from the declarations in \`packages/model\`: change those, not this page. Each name
is described in [the interface](interface.md). If a release or variant does not have a name, a request for it gets status 5.`;

function countsOf(release: Release, variant: Variant): string[] {
  const edition = { release, variant };
  const present = everything.filter((one) => one.isIn(edition));
  const variables = present.filter((one) => one instanceof Variable).length;
  const files = allFiles.filter((file) => file.isIn(edition)).length;
  const methods = present.length - variables - files;
  return [release, variant, ...[variables, methods, files, eventsOf(edition).size].map(String)];
}

function changesOf(release: Release): string[] {
  const added = everything.filter(({ facts }) => facts.since === release);
  const removed = everything.filter(({ facts }) => facts.until === release);
  const others = [
    ...(release === oldestRelease ? ['Everything except what is named below with a later release.'] : []),
    ...(release === eventsSince ? ['From this release on, the scanner sends events.'] : []),
  ];
  return [
    `## ${release}`,
    ...others,
    ...(added.length === 0 ? [] : ['New:', byGroup(added)]),
    ...(removed.length === 0 ? [] : ['Gone:', byGroup(removed)]),
    ...(others.length + added.length + removed.length === 0
      ? ['The interface is the same as in the previous release.']
      : []),
  ];
}

function byGroup(declarations: readonly Declaration[]): string {
  const names = [...new Set(declarations.map(({ group }) => group))];
  return list(
    names.map((group) => {
      const members = declarations.filter((one) => one.group === group);
      return `${group}: ${members.map((one) => link(one.name, one.name, 'interface.md')).join(', ')}`;
    }),
  );
}

function differingDefaults(): string[][] {
  return allVariables.flatMap((variable) =>
    factoryValues(variable).map(({ condition, value }) => [code(variable.name), condition, value]),
  );
}

function tokenTransfers(): string[] {
  return allFiles.flatMap((file) =>
    Object.entries(file.facts.verbs).flatMap(([verb, { tokenSince }]) =>
      tokenSince === undefined ? [] : [`${verb} ${code(file.name)}: ${tokenSince}`],
    ),
  );
}

function limited(): string[][] {
  return everything
    .map(({ name, group, variant = '', facts: { since = '', until = '' } }) => ({
      name,
      rest: [group, since, until, variant],
    }))
    .filter(({ rest: [, ...limits] }) => limits.some((limit) => limit !== ''))
    .map(({ name, rest }) => [link(name, name, 'interface.md'), ...rest]);
}
