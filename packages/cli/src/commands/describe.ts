import {
  builtInInterface,
  describeShape,
  type FileEndpoint,
  type FileTransfer,
  jsonSchema,
  type KnownInterface,
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
    .description(
      'Describe a variable, a method or a file. This needs no scanner, unless only a scanner knows the name: a product of its own describes its names itself. If you name a scanner, its own ranges and values are shown.',
    )
    .addArgument(new WordArgument('<name>', 'name of the variable, method or file', 'describable'))
    .action((name: string) => describe(name, command.allOptions()))
    .withDeviceOptions()
    .withExamples(
      'azimuth describe EtherAddressingMode',
      'azimuth describe parameterbackup',
      'azimuth describe WriteEeprom --json',
      'azimuth describe @gate3 LaserHours    (a name that only this scanner knows)',
    );
}

/** Prints the description of a variable, a method or a file. A request is sent only for a name that is not known. */
async function describe(name: string, options: DeviceOptions): Promise<void> {
  const endpoint = await describedFor(options, (known) => describableNamed(name, known));
  const text = options.json === true ? jsonText(description(endpoint)) : asText(endpoint);
  process.stdout.write(`${text}\n`);
}

/**
 * Uses names as the scanners of the options describe them. Without any in the options, names are used as the model has
 * them; only for others, the usual scanner is asked, if it is there. So the client is loaded only for a scanner.
 */
async function describedFor<T>(options: DeviceOptions, act: (known: KnownInterface) => T): Promise<T> {
  if (options.device !== undefined) {
    const { chosenScanners } = await import('../scanners/chosen.js');
    const { describedBy } = await import('../scanners/described.js');
    return act(await describedBy((await chosenScanners(options)).targets));
  }
  try {
    return act(builtInInterface);
  } catch (error) {
    const { chosenScanners } = await import('../scanners/chosen.js');
    const { asDescribed } = await import('../scanners/described.js');
    const { targets } = await chosenScanners(options).catch(() => {
      throw error;
    });
    return asDescribed(targets, act);
  }
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
      ...lifetimeRows(endpoint, since),
      ...stated('until', until),
      ...stated('variant', endpoint.variant),
    ]),
    ...(endpoint.kind === 'variable' ? valueLines(endpoint) : []),
  ].join('\n');
}

/** Returns the first release of an endpoint; none if only a scanner knows it. */
function lifetimeRows({ kind, name }: Describable, since: string | undefined): Row[] {
  const isKnown = kind === 'file' || builtInInterface.endpoint(name) !== undefined;
  return isKnown ? [['since', since ?? 'all releases']] : [];
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
