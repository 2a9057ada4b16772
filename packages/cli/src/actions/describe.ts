import {
  describeShape,
  type Endpoint,
  jsonSchema,
  type Method,
  newestRelease,
  type Shape,
  type Variable,
} from '@azimuth/model';
import { endpointNamed } from '../name.js';
import { linesOf, type NaturalForm, naturalForm, type Row } from '../natural-form.js';
import type { DeviceOptions } from '../options.js';

/** Prints what the interface says of a variable or a method. No scanner is asked. */
export function describe(name: string, options: DeviceOptions): void {
  const endpoint = endpointNamed(name);
  const text = options.json === true ? JSON.stringify(description(endpoint)) : asText(endpoint);
  process.stdout.write(`${text}\n`);
}

function asText(endpoint: Endpoint): string {
  const rows = endpoint.kind === 'variable' ? variableRows(endpoint) : methodRows(endpoint);
  const { since, until } = endpoint.facts;
  const heading = `${endpoint.name} – ${endpoint.kind} of the group ${endpoint.group}`;
  return [
    heading,
    endpoint.facts.text,
    '',
    ...linesOf([
      ...rows,
      ['since', since ?? 'all releases'],
      ...stated('until', until),
      ...stated('variant', endpoint.variant),
    ]),
  ].join('\n');
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

/** The factory value of a scanner that was delivered with the newest release: older ones may have another. */
function factoryValue(variable: Variable<unknown>): unknown {
  return variable.factoryValue({ release: newestRelease, createdWith: newestRelease });
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

function stated(name: string, fact: string | undefined): Row[] {
  return fact === undefined ? [] : [[name, fact]];
}

/** The same for machines: types as JSON Schema. */
function description(endpoint: Endpoint): Readonly<Record<string, unknown>> {
  const { kind, name, group, facts, variant } = endpoint;
  const { text, since, until } = facts;
  const head = { name, kind, group, text, since, until, variant };
  if (endpoint.kind === 'method') {
    const { request, response } = endpoint;
    const level = endpoint.facts.level;
    return { ...head, level, request: jsonSchema(request.shape), response: jsonSchema(response.shape) };
  }
  const { type, section, stored } = endpoint;
  const { unit, write, aliases } = endpoint.facts;
  return {
    ...head,
    schema: jsonSchema(type.shape, factoryValue(endpoint)),
    unit,
    write,
    section,
    stored,
    aliases,
  };
}
