import { type Declaration, Variable } from '../declaration.js';
import { loginLevels } from '../envelope.js';
import { enabledAtFactory } from '../groups/cybersecurity.js';
import { allEndpoints, allFiles, allVariables, eventsOf, eventsSince } from '../interface.js';
import { blocks, code, link, list, table } from '../markdown.js';
import { oldestRelease, type Release, releases, type Variant, variants } from '../release.js';
import { factoryValues } from './entries.js';

const everything: readonly Declaration[] = [...allEndpoints, ...allFiles];

/** What exists from when to when, per release and per variant. */
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
    '## What core lacks',
    'Beside what its release lacks.',
    byGroup(everything.filter(({ variant }) => variant === 'full')),
    '## Defaults that differ',
    table(['variable', 'in a scanner that', 'default'], differingDefaults()),
    '## User levels at the factory',
    'Who can log in to a new scanner, over REST and over the legacy protocol. An update keeps what was set.',
    table(
      ['level', ...releases],
      loginLevels.map((level) => [
        level,
        ...releases.map((release) => (enabledAtFactory(level, release) ? 'on' : 'off')),
      ]),
    ),
    '## Session tokens',
    'These transfers ask for `X-Session-Token`, from the release named on:',
    list(tokenTransfers()),
    '## By name',
    'Everything that is not in all releases and both variants.',
    table(['name', 'group', 'since', 'before', 'variant'], limited()),
  ])}\n`;
}

const introduction = `Made from the declarations in \`packages/model\` by \`npm run docs\`; changes belong there. Each name
is explained in [the interface](interface.md). A name that a release or a variant lacks is answered with status 5.`;

function countsOf(release: Release, variant: Variant): string[] {
  const edition = { release, variant };
  const there = everything.filter((one) => one.isIn(edition));
  const variables = there.filter((one) => one instanceof Variable).length;
  const files = allFiles.filter((file) => file.isIn(edition)).length;
  const methods = there.length - variables - files;
  return [release, variant, ...[variables, methods, files, eventsOf(edition).size].map(String)];
}

function changesOf(release: Release): string[] {
  const came = everything.filter(({ facts }) => facts.since === release);
  const went = everything.filter(({ facts }) => facts.until === release);
  const others = [
    ...(release === oldestRelease ? ['Everything that is not named below with a later release.'] : []),
    ...(release === eventsSince ? ['Events are pushed from here on.'] : []),
  ];
  return [
    `## ${release}`,
    ...others,
    ...(came.length === 0 ? [] : ['New:', byGroup(came)]),
    ...(went.length === 0 ? [] : ['Gone:', byGroup(went)]),
    ...(others.length + came.length + went.length === 0
      ? ['The interface is that of the release before.']
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
    factoryValues(variable).map(({ when, value }) => [code(variable.name), when, value]),
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
