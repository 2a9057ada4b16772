import { type Declaration, Method, Variable } from '../declaration.js';
import { FileEndpoint, type FileTransfer } from '../file.js';
import { newestRelease } from '../release.js';
import { describeShape } from '../types/description.js';
import { factoryValues } from './defaults.js';
import { eventFrom, existence, levelOfCall } from './facts.js';
import { blocks, code, link, list, table } from './markdown.js';
import { memberRows, placeRows, shownValue } from './members.js';

/** All about one endpoint, as a section of its own. */
export function entryOf(declaration: Declaration): string {
  return blocks([`### ${declaration.name}`, declaration.facts.text, ...bodyOf(declaration)]);
}

function bodyOf(declaration: Declaration): string[] {
  if (declaration instanceof Variable) return variableBody(declaration);
  if (declaration instanceof Method) return methodBody(declaration);
  return declaration instanceof FileEndpoint ? fileBody(declaration) : [];
}

function variableBody(variable: Variable<unknown>): string[] {
  const { write, unit, aliases = [], values } = variable.facts;
  const event = eventFrom(variable);
  const head = [
    'Variable',
    write === undefined ? 'read-only' : `${write} writes`,
    ...existence(variable),
    ...(event === undefined ? [] : [`event from ${event} on`]),
    ...(unit === undefined ? [] : [`unit ${unit}`]),
    ...aliases.map((alias) => `also served as ${code(alias)}`),
  ];
  const explained = values === undefined ? [] : [table(values.head, values.rows), values.note];
  return [`${head.join('; ')}.`, valueBlock(variable), ...explained];
}

function valueBlock(variable: Variable<unknown>): string {
  const { shape } = variable.type;
  const initial = variable.factoryValue({ release: newestRelease, createdWith: newestRelease });
  if (shape.kind === 'struct') return members(memberRows(shape.members));
  if (shape.kind === 'array' && shape.of.kind === 'struct') {
    return members(placeRows(variable.name, shape, initial));
  }
  const differs = factoryValues(variable).length > 0;
  const others = differs ? `, ${link('others by release', 'Defaults that differ', 'releases.md')}` : '';
  return list([`Type: ${describeShape(shape)}`, `Default: ${shownValue(initial)}${others}`]);
}

function methodBody(method: Method<unknown, unknown>): string[] {
  const { level, answersIn = 'data', request, response } = method.facts;
  const head = ['Method', levelOfCall(level), ...existence(method)];
  return [
    `${head.join('; ')}.`,
    ...(request === undefined ? [] : ['Takes, in `data`:', membersOf(method.request)]),
    ...(response === undefined ? [] : [`Gives, in ${code(answersIn)}:`, membersOf(method.response)]),
  ];
}

function membersOf({ shape }: Method<unknown, unknown>['request']): string {
  return shape.kind === 'struct' ? members(memberRows(shape.members)) : '';
}

function members(rows: readonly (readonly string[])[]): string {
  return table(['member', 'type', 'default'], rows);
}

function fileBody(file: FileEndpoint): string[] {
  return [
    `${['File', ...existence(file)].join('; ')}.`,
    table(['verb', 'what it does', 'what is transferred', 'session token'], fileRows(file)),
  ];
}

/** A verb of a file, as a row of a table. */
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
        ? `takes ${type}, part ${code(part)}`
        : `takes ${type}`,
    ),
    ...(maxBytes === undefined ? [] : [`at most ${maxBytes} bytes`]),
    ...(produces === undefined ? [] : [`gives ${produces}`]),
  ].join('; ');
}
