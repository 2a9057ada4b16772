import { type Declaration, FileEndpoint, Method, Variable } from '../declaration.js';
import { extensionPrefix, extensionsOf } from '../extensions/index.js';
import { eventsOf, groupsOf } from '../interface.js';
import { extensionPaths } from '../openapi/extensions.js';
import { type Edition, type EditionFacts, editionFacts } from '../product.js';
import { type FileRow, fileRows, levelOfCall, memberRows, placeRows, type Row } from './entries.js';

/** Interface of one edition, for a page that shows it and tries it out. Backticks stand around code. */
export interface Catalogue extends EditionFacts {
  readonly groups: readonly CatalogueGroup[];
}

export interface CatalogueGroup {
  readonly name: string;
  readonly entries: readonly CatalogueEntry[];
}

export interface CatalogueEntry {
  readonly kind: 'variable' | 'method' | 'file' | 'page';
  readonly name: string;
  /** Purpose, in one line. */
  readonly text: string;
  /** Path, without the slash in front. */
  readonly path: string;
  /** Level that may write or call it, in words; absent if it is only read. */
  readonly level?: string;
  /** True if that needs a login. */
  readonly login?: boolean;
  /** True if clients can subscribe to it as an event. */
  readonly event?: boolean;
  readonly since?: string;
  readonly unit?: string;
  /** Places in the value of a variable, or in the request of a method. */
  readonly takes?: readonly Row[];
  /** Places in the response of a method. */
  readonly gives?: readonly Row[];
  /** Example of a request of a method. */
  readonly example?: unknown;
  /** Verbs of a file, with their effects. */
  readonly verbs?: readonly FileRow[];
}

/** Returns the interface of a scanner of this edition, group by group. The extensions come last. */
export function catalogueOf(edition: Edition): Catalogue {
  const ofGroups = groupsOf(edition).map(({ name, members }) => ({
    name,
    entries: Object.values(members)
      .filter((member) => member.isIn(edition))
      .map((member) => entryOf(member, edition)),
  }));
  return {
    ...editionFacts(edition),
    groups: [...ofGroups, { name: 'Extensions', entries: extensionEntries(edition) }].filter(
      ({ entries }) => entries.length > 0,
    ),
  };
}

function entryOf(declaration: Declaration, edition: Edition): CatalogueEntry {
  if (declaration instanceof Variable) return variableEntry(declaration, edition);
  const { name } = declaration;
  const { since } = declaration.facts;
  const loss = declaration instanceof Method ? declaration.loss : undefined;
  const text = [declaration.facts.text, loss ?? ''].join(' ').trimEnd();
  const base = { name, text, path: `api/${name}`, since };
  if (declaration instanceof FileEndpoint) return { kind: 'file', ...base, verbs: fileRows(declaration) };
  return { kind: 'method', ...base, ...(declaration instanceof Method ? methodFacts(declaration) : {}) };
}

function variableEntry(variable: Variable<unknown>, edition: Edition, prefix = 'api/'): CatalogueEntry {
  const { name, type, facts } = variable;
  const { text, write, since, unit } = facts;
  const { release, version } = edition;
  const initial = variable.factoryValue({ release, createdWith: release, version });
  return {
    kind: 'variable',
    name: prefix === 'api/' ? name : prefix + name,
    text,
    path: prefix + name,
    level: write && `writable by ${write}`,
    login: write === undefined ? undefined : true,
    event: eventsOf(edition).has(name) || undefined,
    since,
    unit,
    takes:
      type.shape.kind === 'struct' ? memberRows(type.shape.members) : placeRows(name, type.shape, initial),
  };
}

function methodFacts(method: Method<unknown, unknown>): Partial<CatalogueEntry> {
  const { level } = method.facts;
  return {
    level: levelOfCall(level),
    login: level !== 'open',
    ...(method.hasRequest ? { takes: rowsOf(method.request), example: method.request.initial } : {}),
    gives: method.hasResponse ? rowsOf(method.response) : undefined,
  };
}

function rowsOf({ shape }: Method<unknown, unknown>['request']): readonly Row[] {
  return shape.kind === 'struct' ? memberRows(shape.members) : [];
}

/** Returns the variables below `/x/`, and all other paths that are not in the specification. */
function extensionEntries(edition: Edition): CatalogueEntry[] {
  const variables = [...extensionsOf(edition).values()].map((variable) =>
    variableEntry(variable, edition, extensionPrefix),
  );
  const paths = new Set(variables.map(({ path }) => `/${path}`));
  const others = Object.entries(extensionPaths(edition)).filter(([path]) => !paths.has(path));
  return [
    ...variables,
    ...others.flatMap(([path, { get }]): CatalogueEntry[] => {
      if (get === undefined) return [];
      const text = [get.summary, get.description ?? ''].filter((part) => part !== '').join(' ');
      return [{ kind: 'page', name: path, text, path: path.slice(1) }];
    }),
  ];
}
