import { describeShape, type Method, newestRelease, type Shape, type Variable } from '@azimuth/model';
import { type Describable, describableNamed } from '../name.js';
import { linesOf, type NaturalForm, naturalForm, type Row } from '../natural-form.js';
import type { DeviceOptions } from '../options.js';
import { fileRows, stated } from './describe-file.js';
import { description, factoryValue } from './description.js';

/** Prints what the interface says of a variable, a method or a file. No scanner is asked. */
export function describe(name: string, options: DeviceOptions): void {
  const endpoint = describableNamed(name);
  const text = options.json === true ? JSON.stringify(description(endpoint)) : asText(endpoint);
  process.stdout.write(`${text}\n`);
}

function asText(endpoint: Describable): string {
  const { since, until } = endpoint.facts;
  const heading = `${endpoint.name} – ${endpoint.kind} of the group ${endpoint.group}`;
  return [
    heading,
    endpoint.facts.text,
    '',
    ...linesOf([
      ...rowsOf(endpoint),
      ['since', since ?? 'all releases'],
      ...stated('until', until),
      ...stated('variant', endpoint.variant),
    ]),
    ...(endpoint.kind === 'variable' ? valueLines(endpoint) : []),
  ].join('\n');
}

/** What each value stands for, where the interface says it: in columns. */
function valueLines({ facts: { values } }: Variable<unknown>): string[] {
  if (values === undefined) return [];
  const lines = [values.head, ...values.rows];
  const widths = values.head.map((_, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  const inColumns = lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return ['', ...inColumns, '', values.note];
}

function rowsOf(endpoint: Describable): Row[] {
  switch (endpoint.kind) {
    case 'variable':
      return variableRows(endpoint);
    case 'method':
      return methodRows(endpoint);
    case 'file':
      return fileRows(endpoint);
  }
}

function variableRows(variable: Variable<unknown>): Row[] {
  const { type, facts, stored } = variable;
  return [
    ['type', shapeForm(type.shape)],
    [
      facts.factory === undefined ? 'default' : `default (${newestRelease})`,
      naturalForm(type.shape, factoryValue(variable)),
    ],
    ...stated('unit', facts.unit),
    ['write', facts.write === undefined ? 'nobody: read-only' : `${facts.write} and above`],
    ['stored', stored ? 'yes, by WriteEeprom' : 'no'],
    ...stated('aliases', facts.aliases?.join(', ')),
  ];
}

function methodRows({ request, response, facts, hasRequest, hasResponse }: Method<unknown, unknown>): Row[] {
  return [
    ['level', spokenLevel(facts.level)],
    ['request', hasRequest ? shapeForm(request.shape) : 'nothing'],
    ['response', hasResponse ? shapeForm(response.shape) : 'nothing'],
  ];
}

function spokenLevel(level: Method<unknown, unknown>['facts']['level']): string {
  if (level === 'open') return 'everybody, without a login';
  return level === 'login' ? 'every user level that is enabled' : `${level} and above`;
}

/** A struct member by member, so that each has a line of its own. */
function shapeForm(shape: Shape): NaturalForm {
  if (shape.kind === 'array' && shape.of.kind === 'struct') {
    const { minItems, maxItems, of } = shape;
    return [[`array of ${minItems === maxItems ? '' : `${minItems} to `}${maxItems}, each`, shapeForm(of)]];
  }
  if (shape.kind !== 'struct') return describeShape(shape);
  return Object.entries(shape.members).map(([name, member]): Row => {
    const form = shapeForm(member.shape);
    return [name, member.optional && typeof form === 'string' ? `${form} (optional)` : form];
  });
}
