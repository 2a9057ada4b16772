import { isDeepStrictEqual } from 'node:util';
import {
  type Declaration,
  FileEndpoint,
  type IntegerFormat,
  Method,
  type Shape,
  Variable,
  widths,
} from '@azimuth/model';
import type { PublishedEndpoint, PublishedOperation, PublishedType } from './published-interface.js';

/** A shape with the default that it has at its place. */
interface Placed {
  readonly shape: Shape;
  /** undefined where the model states none: for the items of an array. */
  readonly initial: unknown;
}

/**
 * Differences between the declarations and the published descriptions, one line each as the table of corrections spells
 * them: `DeviceIdent: value.Name length`. A fact that a description does not state is no difference, as the width of an
 * integer.
 */
export function differences(
  published: readonly PublishedEndpoint[],
  declared: ReadonlyMap<string, Declaration>,
): string[] {
  const found: string[] = [];
  const met = new Set<string>();
  for (const endpoint of published) {
    const declaration = declared.get(endpoint.name);
    if (declaration === undefined) {
      found.push(`${endpoint.name}: left out`);
      continue;
    }
    met.add(declaration.name);
    const name = endpoint.name;
    if (declaration.name !== name) found.push(`${name}: alias of ${declaration.name}`);
    if (declaration.group !== endpoint.group) found.push(`${name}: group`);
    found.push(...compareEndpoint(endpoint, declaration).map((what) => `${name}: ${what}`));
  }
  for (const { name } of declared.values()) {
    if (!met.has(name)) found.push(`${name}: added`);
  }
  return [...new Set(found)];
}

function compareEndpoint(published: PublishedEndpoint, declaration: Declaration): string[] {
  const verbs = verbsOf(declaration);
  const both = [...published.operations].filter(([verb]) => verbs.includes(verb));
  return [
    ...[...published.operations.keys()]
      .filter((verb) => !verbs.includes(verb))
      .map((verb) => `${verb} left out`),
    ...verbs.filter((verb) => !published.operations.has(verb)).map((verb) => `${verb} added`),
    ...both.flatMap(([verb, operation]) => compareOperation(published.name, verb, operation, declaration)),
  ];
}

function verbsOf(declaration: Declaration): readonly string[] {
  if (declaration instanceof FileEndpoint) return declaration.verbs;
  if (declaration instanceof Variable)
    return declaration.facts.write === undefined ? ['GET'] : ['GET', 'POST'];
  return ['POST'];
}

function compareOperation(
  name: string,
  verb: string,
  operation: PublishedOperation,
  declaration: Declaration,
): string[] {
  if (declaration instanceof FileEndpoint) return compareFile(verb, operation, declaration);
  if (declaration instanceof Method) {
    const { facts, request, response } = declaration;
    return [
      ...compareLevel(operation, facts.level),
      ...compareRequest(operation.request, request),
      ...compareResponse(operation.response, declaration.hasResponse ? response : undefined),
      ...(operation.place === undefined || operation.place === (facts.responseMember ?? 'data')
        ? []
        : ['response place']),
    ];
  }
  if (!(declaration instanceof Variable)) return ['kind'];
  const value = publishedValue(name, verb === 'GET' ? operation.response : operation.request);
  return [
    ...(verb === 'POST' ? compareLevel(operation, declaration.facts.write) : []),
    ...(value === undefined ? ['value'] : compareType('value', value, declaration.type)),
  ];
}

function compareFile(verb: string, { bodies, query }: PublishedOperation, file: FileEndpoint): string[] {
  const transfer = Object.entries(file.facts.verbs).find(([known]) => known === verb)?.[1];
  const accepts = transfer?.accepts ?? [];
  return [
    ...bodies.filter((body) => !accepts.includes(body)).map((body) => `${verb} ${body} left out`),
    ...accepts.filter((body) => !bodies.includes(body)).map((body) => `${verb} ${body} added`),
    ...(isDeepStrictEqual(transfer?.query ?? [], query) ? [] : [`${verb} query`]),
  ];
}

/** If two levels are stated, the lower one suffices. */
function compareLevel({ levels }: PublishedOperation, level: string | undefined): string[] {
  if (levels.length === 0) return [];
  const lowest = levels.includes('AuthorizedClient') ? 'AuthorizedClient' : levels[0];
  return level === lowest ? [] : ['level'];
}

function compareRequest(published: PublishedType | undefined, placed: Placed): string[] {
  if (published !== undefined) return compareType('request', published, placed);
  const { shape } = placed;
  return shape.kind === 'struct' && Object.keys(shape.members).length === 0 ? [] : ['request added'];
}

function compareResponse(published: PublishedType | undefined, placed: Placed | undefined): string[] {
  if (published === undefined) return placed === undefined ? [] : ['response added'];
  return placed === undefined ? ['response left out'] : compareType('response', published, placed);
}

/** The value of a variable: under its name, or with its members directly in `data`. */
function publishedValue(name: string, data: PublishedType | undefined): PublishedType | undefined {
  const [first, ...others] = data?.members ?? [];
  return first !== undefined && others.length === 0 && first[0] === name ? first[1] : data;
}

function compareType(at: string, published: PublishedType, { shape, initial }: Placed): string[] {
  return [...compareDefault(at, published, initial), ...compareShape(at, published, shape)];
}

function compareDefault(at: string, published: PublishedType, initial: unknown): string[] {
  if (initial === undefined) return [];
  const { of, minItems, maxItems } = published;
  const items = of !== undefined && minItems === maxItems && of.initial !== undefined ? minItems : undefined;
  const repeated = items === undefined ? undefined : Array.from({ length: items }, () => of?.initial);
  const stated = published.initial ?? repeated;
  return stated === undefined || isDeepStrictEqual(stated, initial) ? [] : [`${at} default`];
}

function compareShape(at: string, published: PublishedType, shape: Shape): string[] {
  const differs = [`${at} type`];
  switch (shape.kind) {
    case 'boolean':
      return published.type === 'boolean' ? [] : differs;
    case 'levelName':
      return published.type === 'string' && published.levels ? [] : differs;
    case 'integer':
    case 'float':
      if (!isOfWidth(published, shape.kind === 'float' ? 'float' : shape.format)) return differs;
      return compareRange(at, published, shape);
    case 'enumeration':
      if (published.names === undefined || !isOfWidth(published, shape.format)) return differs;
      return isDeepStrictEqual(namesByNumber(shape.values), published.names) ? [] : [`${at} values`];
    case 'string': {
      if (published.type !== 'string') return differs;
      const { minLength = 0, maxLength } = published;
      return minLength === shape.minLength && maxLength === shape.maxLength ? [] : [`${at} length`];
    }
    case 'address':
      if (published.type !== 'array' || published.of?.type !== 'uint8') return differs;
      return published.minItems === shape.length && published.maxItems === shape.length
        ? []
        : [`${at} items`];
    case 'array': {
      if (published.type !== 'array' || published.of === undefined) return differs;
      const { minItems = 0, maxItems } = published;
      const counts = minItems === shape.minItems && maxItems === shape.maxItems ? [] : [`${at} items`];
      return [...counts, ...compareType(`${at}[]`, published.of, { shape: shape.of, initial: undefined })];
    }
    case 'struct': {
      if (published.type !== 'struct') return differs;
      const known = new Map(published.members);
      const order = published.members.map(([name]) => name).filter((name) => name in shape.members);
      const declared = Object.keys(shape.members).filter((name) => known.has(name));
      return [
        ...(isDeepStrictEqual(order, declared) ? [] : [`${at} order`]),
        ...published.members.flatMap(([name, member]) => {
          const placed = shape.members[name];
          return placed === undefined
            ? [`${at}.${name} left out`]
            : compareType(`${at}.${name}`, member, placed);
        }),
        ...Object.keys(shape.members)
          .filter((name) => !known.has(name))
          .map((name) => `${at}.${name} added`),
      ];
    }
  }
}

/** Of `integer`, the width is not published. */
function isOfWidth({ type }: PublishedType, width: IntegerFormat | 'float'): boolean {
  return type === width || (type === 'integer' && width !== 'float');
}

function namesByNumber(values: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [String(value), name]));
}

function compareRange(
  at: string,
  published: PublishedType,
  shape: Extract<Shape, { kind: 'integer' | 'float' }>,
): string[] {
  const fullRange =
    shape.kind === 'float' ? { minimum: -3.4028235e38, maximum: 3.4028235e38 } : widths[shape.format];
  const { minimum = fullRange.minimum, maximum = fullRange.maximum } = published;
  return minimum === shape.minimum && maximum === shape.maximum ? [] : [`${at} range`];
}
