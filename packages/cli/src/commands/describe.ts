import {
  describeShape,
  type FileEndpoint,
  type FileTransfer,
  jsonSchema,
  type Method,
  newestRelease,
  type Shape,
  type Variable,
} from '@azimuth/model';
import type { Command, DeviceOptions } from '../options/command.js';
import { WordArgument } from '../options/word-argument.js';
import { jsonText } from '../output/output.js';
import { tableLines } from '../output/table.js';
import { type Describable, describableNamed } from '../values/endpoint-names.js';
import { type FormattedValue, formattedLines, formatValue, type Row } from '../values/format-value.js';

export function defineCommand(command: Command): Command {
  return command
    .description('Describe a variable, a method or a file. This needs no scanner.')
    .addArgument(new WordArgument('<name>', 'name of the variable, method or file', 'describable'))
    .option('--json', 'print JSON')
    .action(async (name: string) => {
      describe(name, command.allOptions());
    })
    .withExamples(
      'azimuth describe EtherAddressingMode',
      'azimuth describe parameterbackup',
      'azimuth describe WriteEeprom --json',
    );
}

/** Prints the description of a variable, a method or a file. No request is sent. */
function describe(name: string, options: DeviceOptions): void {
  const endpoint = describableNamed(name);
  const text = options.json === true ? jsonText(description(endpoint)) : asText(endpoint);
  process.stdout.write(`${text}\n`);
}

function asText(endpoint: Describable): string {
  const { since, until } = endpoint.facts;
  const heading = `${endpoint.name} – ${endpoint.kind} of the group ${endpoint.group}`;
  return [
    heading,
    endpoint.facts.text,
    '',
    ...formattedLines([
      ...descriptionRows(endpoint),
      ['since', since ?? 'all releases'],
      ...stated('until', until),
      ...stated('variant', endpoint.variant),
    ]),
    ...(endpoint.kind === 'variable' ? valueLines(endpoint) : []),
  ].join('\n');
}

/** Returns the meaning of each value, in columns; empty if it is not declared. */
function valueLines({ facts: { values } }: Variable<unknown>): string[] {
  if (values === undefined) return [];
  return ['', ...tableLines([values.head, ...values.rows]), '', values.note];
}

function descriptionRows(endpoint: Describable): Row[] {
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
      formatValue(type.shape, factoryValue(variable)),
    ],
    ...stated('unit', facts.unit),
    ['write', facts.write === undefined ? 'nobody: read-only' : `${facts.write} and above`],
    ['stored', stored ? 'yes, by WriteEeprom' : 'no'],
    ...stated(
      'of',
      facts.ofOneScanner === true
        ? 'one scanner alone: copies for other scanners leave it out, and set asks before several get the same value'
        : undefined,
    ),
    ...stated('aliases', facts.aliases?.join(', ')),
  ];
}

function methodRows({ request, response, facts, hasRequest, hasResponse }: Method<unknown, unknown>): Row[] {
  return [
    ['level', levelText(facts.level)],
    ...stated('loses', facts.loses === undefined ? undefined : `${facts.loses}, for good`),
    ...stated('reboots', facts.reboots === true ? 'yes' : undefined),
    ['request', hasRequest ? shapeForm(request.shape) : 'nothing'],
    ['response', hasResponse ? shapeForm(response.shape) : 'nothing'],
  ];
}

function levelText(level: Method<unknown, unknown>['facts']['level']): string {
  if (level === 'open') return 'everybody, without a login';
  return level === 'login' ? 'every user level that is enabled' : `${level} and above`;
}

/** Splits a struct into members, so that each has a line of its own. */
function shapeForm(shape: Shape): FormattedValue {
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

/** Returns the content of a file in requests and responses, verb by verb. */
function fileRows({ verbs, facts }: FileEndpoint): Row[] {
  return verbs.map((verb): Row => [verb, transferForm(facts.verbs[verb])]);
}

function transferForm(transfer: FileTransfer | undefined): FormattedValue {
  if (transfer === undefined) return 'no';
  const { accepts, part, maxBytes, produces, query, tokenSince, text } = transfer;
  return [
    ['what', text],
    ...stated('query', query?.join(', ')),
    ...stated('accepts', accepts?.join(', ')),
    ...stated('part', part === undefined ? undefined : `${part} (of multipart/form-data)`),
    ...stated('limit', maxBytes === undefined ? undefined : sizeText(maxBytes)),
    ...stated('produces', produces),
    ['token', tokenSince === undefined ? 'none' : `X-Session-Token, from ${tokenSince} on`],
  ];
}

const mebibyte = 1024 * 1024;

function sizeText(bytes: number): string {
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`;
}

/** Returns a row for a stated fact, and none for a missing one. */
function stated(name: string, fact: string | undefined): Row[] {
  return fact === undefined ? [] : [[name, fact]];
}

/** Returns the description of a variable, a method or a file as JSON, with types as JSON Schema. */
function description(endpoint: Describable): Readonly<Record<string, unknown>> {
  const { kind, name, group, facts, variant } = endpoint;
  const { text, since, until } = facts;
  return { name, kind, group, text, since, until, variant, ...particulars(endpoint) };
}

function particulars(endpoint: Describable): Readonly<Record<string, unknown>> {
  switch (endpoint.kind) {
    case 'variable': {
      const { type, section, stored } = endpoint;
      const { unit, write, aliases, values, ofOneScanner } = endpoint.facts;
      const schema = jsonSchema(type.shape, factoryValue(endpoint));
      return { schema, unit, write, section, stored, ofOneScanner, aliases, values };
    }
    case 'method': {
      const { request, response, facts } = endpoint;
      const { level, loses, reboots } = facts;
      return {
        level,
        loses,
        reboots,
        request: jsonSchema(request.shape),
        response: jsonSchema(response.shape),
      };
    }
    case 'file':
      return { verbs: endpoint.facts.verbs };
  }
}

/** The factory value of a scanner that was delivered with the newest release: older ones may have another. */
function factoryValue(variable: Variable<unknown>): unknown {
  return variable.factoryValue({ release: newestRelease, createdWith: newestRelease });
}
