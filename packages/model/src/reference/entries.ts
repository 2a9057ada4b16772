import { blocks, code, link, list, table } from '@azimuth/wording';
import {
  type CallLevel,
  type Declaration,
  EventVariable,
  FileEndpoint,
  type FileTransfer,
  Method,
  Variable,
} from '../declaration.js';
import { eventsSince } from '../interface.js';
import type { Edition } from '../product.js';
import {
  hasAllOf,
  isFrom,
  newestRelease,
  oldestRelease,
  type Release,
  releases,
  type Variant,
  variants,
} from '../release.js';
import { describeShape } from '../types/schema.js';
import type { Member, Shape } from '../types/value-type.js';

/** Place in a value, as a row of a table: place, type, default. */
export type Row = readonly [at: string, type: string, initial: string];

/** Returns rows for the members of a struct, and for theirs, at any depth: `certificates[].issuer`. */
export function memberRows(members: Readonly<Record<string, Member>>, at = ''): Row[] {
  return Object.entries(members).flatMap(([name, { shape, initial, optional }]) => {
    const place = at === '' ? name : `${at}.${name}`;
    return placeRows(place, shape, initial, optional ? ' (optional)' : '');
  });
}

/** Returns the rows of a value that is not a struct. An array of structs has rows for its members. */
export function placeRows(at: string, shape: Shape, initial: unknown, suffix = ''): Row[] {
  switch (shape.kind) {
    case 'struct':
      return memberRows(shape.members, at);
    case 'array': {
      if (shape.of.kind !== 'struct') break;
      const { minItems, maxItems } = shape;
      const count = minItems === maxItems ? `${maxItems}` : `${minItems} to ${maxItems}`;
      return [
        [code(at), `array of ${count} structs${suffix}`, minItems === 0 ? shownValue(initial) : ''],
        ...memberRows(shape.of.members, `${at}[]`),
      ];
    }
  }
  return [[code(at), `${describeShape(shape)}${suffix}`, shownValue(initial)]];
}

/** Returns a value as JSON; an empty text if there is none, and a long array of equal values as their number. */
function shownValue(value: unknown): string {
  if (value === undefined) return '';
  const json = JSON.stringify(value);
  if (!Array.isArray(value) || value.length < 8) return code(json);
  const items = new Set(value.map((item) => JSON.stringify(item)));
  const [item = '', ...others] = items;
  return others.length === 0 ? `${value.length} times ${code(item)}` : code(json);
}

/**
 * Names the releases and variants that have an endpoint; empty if all have it. @param edition the only one that is
 * described: its releases need no names
 */
function existence(declaration: Declaration, edition: Edition | undefined): string[] {
  const { since, until } = edition === undefined ? declaration.facts : {};
  return [
    ...(since === undefined ? [] : [`from ${since} on`]),
    ...(until === undefined ? [] : [`before ${until} only`]),
    ...(declaration.variant === undefined ? [] : [variantsWith(declaration.variant)]),
  ];
}

/** Names the level that may call a method, in words. */
export function levelOfCall(level: CallLevel): string {
  if (level === 'open') return 'callable without a login';
  return level === 'login' ? 'callable by any enabled level' : `callable by ${level}`;
}

/** Returns the release from which on changes of a value are pushed; undefined for a value that is not an event. */
function eventFrom(declaration: Declaration): string | undefined {
  if (!(declaration instanceof EventVariable)) return undefined;
  const since = declaration.facts.since ?? oldestRelease;
  return isFrom(since, eventsSince) ? since : eventsSince;
}

/** Returns a section about one endpoint. @param edition the only one that is described; undefined for all */
export function entryOf(declaration: Declaration, edition?: Edition): string {
  return blocks([`### ${declaration.name}`, declaration.facts.text, ...bodyOf(declaration, edition)]);
}

function bodyOf(declaration: Declaration, edition: Edition | undefined): string[] {
  if (declaration instanceof Variable) return variableBody(declaration, edition);
  if (declaration instanceof Method) return methodBody(declaration, edition);
  return declaration instanceof FileEndpoint ? fileBody(declaration, edition) : [];
}

function variableBody(variable: Variable<unknown>, edition: Edition | undefined): string[] {
  const { write, unit, aliases = [], values, ofOneScanner } = variable.facts;
  const event = eventFrom(variable);
  const head = [
    'Variable',
    write === undefined ? 'read-only' : `writable by ${write}`,
    ...existence(variable, edition),
    ...(event === undefined ? [] : [edition === undefined ? `event from ${event} on` : 'event']),
    ...(unit === undefined ? [] : [`unit ${unit}`]),
    ...(ofOneScanner === true ? ['belongs to one scanner'] : []),
    ...aliases.map((alias) => `also named ${code(alias)}`),
  ];
  const explained = values === undefined ? [] : [table(values.head, values.rows), values.note];
  return [`${head.join('; ')}.`, valueBlock(variable, edition), ...explained];
}

function valueBlock(variable: Variable<unknown>, edition: Edition | undefined): string {
  const { shape } = variable.type;
  const { release, version } = edition ?? { release: newestRelease };
  const initial = variable.factoryValue({ release, createdWith: release, version });
  if (shape.kind === 'struct') return members(memberRows(shape.members));
  if (shape.kind === 'array' && shape.of.kind === 'struct') {
    return members(placeRows(variable.name, shape, initial));
  }
  const differs = edition === undefined && factoryValues(variable).length > 0;
  const others = differs ? `, ${link('others by release', 'Defaults that differ', 'releases.md')}` : '';
  return list([`Type: ${describeShape(shape)}`, `Default: ${shownValue(initial)}${others}`]);
}

function methodBody(method: Method<unknown, unknown>, edition: Edition | undefined): string[] {
  const { level, responseMember = 'data', request, response } = method.facts;
  const head = ['Method', levelOfCall(level), ...existence(method, edition)];
  return [
    `${head.join('; ')}.`,
    method.loss ?? '',
    ...(request === undefined ? [] : ['Request, in `data`:', membersOf(method.request)]),
    ...(response === undefined ? [] : [`Response, in ${code(responseMember)}:`, membersOf(method.response)]),
  ];
}

function membersOf({ shape }: Method<unknown, unknown>['request']): string {
  return shape.kind === 'struct' ? members(memberRows(shape.members)) : '';
}

function members(rows: readonly (readonly string[])[]): string {
  return table(['member', 'type', 'default'], rows);
}

function fileBody(file: FileEndpoint, edition: Edition | undefined): string[] {
  return [
    `${['File', ...existence(file, edition)].join('; ')}.`,
    table(['verb', 'what it does', 'what is transferred', 'session token'], fileRows(file)),
  ];
}

/** Verb of a file, as a row of a table. */
export type FileRow = readonly [verb: string, does: string, transferred: string, token: string];

export function fileRows(file: FileEndpoint): FileRow[] {
  return Object.entries(file.facts.verbs).map(([verb, transfer]) => [
    verb,
    transfer.text,
    transferOf(transfer),
    transfer.tokenSince === undefined ? '' : `from ${transfer.tokenSince} on`,
  ]);
}

function transferOf({ accepts = [], part, maxBytes, produces, query = [] }: FileTransfer): string {
  return [
    ...query.map((name) => `query ${code(name)}`),
    ...accepts.map((type) =>
      type === 'multipart/form-data' && part !== undefined
        ? `accepts ${type}, part ${code(part)}`
        : `accepts ${type}`,
    ),
    ...(maxBytes === undefined ? [] : [`at most ${maxBytes} bytes`]),
    ...(produces === undefined ? [] : [`sends ${produces}`]),
  ].join('; ');
}

/** Factory value, and the condition under which a scanner has it. */
interface FactoryValue {
  readonly condition: string;
  readonly value: string;
}

interface Case {
  readonly release: Release;
  readonly createdWith: Release;
  readonly value: string;
}

/** Returns the factory values of a variable by release; none if it always has the same one. */
export function factoryValues(variable: Variable<unknown>): FactoryValue[] {
  const cases = casesOf(variable);
  const values = [...new Set(cases.map(({ value }) => value))];
  if (values.length < 2) return [];
  const key = decides(cases, 'release') ? 'release' : 'createdWith';
  if (!decides(cases, key)) throw new TypeError(`${variable.name}: both releases decide about its default`);
  const what = key === 'release' ? 'runs' : 'was delivered with';
  return values.map((value) => {
    const those = releases.filter((name) => cases.some((one) => one[key] === name && one.value === value));
    return { condition: `${what} ${those.join(', ')}`, value };
  });
}

/** Returns every pair of a release and one that it may have been delivered with. */
function casesOf(variable: Variable<unknown>): Case[] {
  const running = releases.filter((release) =>
    variable.isIn({ release, variant: variable.variant ?? 'full' }),
  );
  return running.flatMap((release) =>
    releases
      .filter((createdWith) => isFrom(release, createdWith))
      .map((createdWith) => ({
        release,
        createdWith,
        value: shownValue(variable.factoryValue({ release, createdWith })),
      })),
  );
}

function decides(cases: readonly Case[], key: 'release' | 'createdWith'): boolean {
  return cases.every((one) => cases.every((other) => one[key] !== other[key] || one.value === other.value));
}

/** Names the variants that have something, by the least equipped one that has it. */
function variantsWith(least: Variant): string {
  const having = variants.filter((variant) => hasAllOf(variant, least));
  return having.length === 1 ? `variant ${least} only` : `variants ${having.join(' and ')} only`;
}
