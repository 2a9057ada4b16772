import { isObject } from '@azimuth/model';

/** A type as the published descriptions state it; what they leave open is undefined. */
export interface PublishedType {
  readonly type: string;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  /** The names of an enumeration by their numbers. */
  readonly names: Readonly<Record<string, unknown>> | undefined;
  /** Is it the name of a user level? */
  readonly levels: boolean;
  readonly initial: unknown;
  readonly of: PublishedType | undefined;
  readonly members: readonly (readonly [string, PublishedType])[];
}

/** What a verb takes and gives. */
export interface PublishedOperation {
  readonly levels: readonly string[];
  readonly request: PublishedType | undefined;
  /** The member of the reply that carries the response: `data` or `challenge`. */
  readonly place: string | undefined;
  readonly response: PublishedType | undefined;
  readonly bodies: readonly string[];
  readonly query: readonly string[];
}

export interface PublishedEndpoint {
  readonly name: string;
  readonly group: string;
  readonly operations: ReadonlyMap<string, PublishedOperation>;
}

/** The description whose additions take precedence over the older one of the same device. */
const newest = 'picoScan150 2.3.3';

/** Reads the catalogue of published descriptions. Throws TypeError where it is not formed as expected. */
export function readCatalogue(text: string): PublishedEndpoint[] {
  return list(object(JSON.parse(text)).endpoints).map((item) => {
    const endpoint = object(item);
    return {
      name: String(endpoint.name),
      group: String(endpoint.group),
      operations: new Map(
        Object.entries(object(endpoint.operations)).map(([verb, operation]) => [
          verb,
          readOperation(operation),
        ]),
      ),
    };
  });
}

function readOperation(json: unknown): PublishedOperation {
  const stated = object(json);
  const variants = optional(stated.variants, object) ?? {};
  const operation = { ...stated, ...optional(variants[newest], object) };
  const response = optional(operation.response, object) ?? {};
  const place = ['data', 'challenge'].find((key) => response[key] !== undefined);
  return {
    levels: strings(operation.levelStated),
    request: optional(operation.requestData, readType),
    place,
    response: place === undefined ? undefined : readType(response[place]),
    bodies: strings(operation.requestBody),
    query: strings(operation.query),
  };
}

function readType(json: unknown): PublishedType {
  const stated = object(json);
  const items = optional(stated.items, number);
  return {
    type: String(stated.type),
    minimum: optional(stated.minimum, number),
    maximum: optional(stated.maximum, number),
    minLength: optional(stated.minLength, number),
    maxLength: optional(stated.maxLength, number),
    minItems: items ?? optional(stated.minItems, number),
    maxItems: items ?? optional(stated.maxItems, number),
    names: isObject(stated.enum) ? stated.enum : undefined,
    levels: Array.isArray(stated.enum),
    initial: stated.default,
    of: isObject(stated.of) ? readType(stated.of) : undefined,
    members: Object.entries(optional(stated.members, object) ?? {}).map(([name, member]) => [
      name,
      readType(member),
    ]),
  };
}

function object(json: unknown): Record<string, unknown> {
  if (!isObject(json)) throw new TypeError('an object expected in the catalogue');
  return json;
}

function list(json: unknown): unknown[] {
  if (!Array.isArray(json)) throw new TypeError('an array expected in the catalogue');
  return json;
}

function number(json: unknown): number {
  if (typeof json !== 'number') throw new TypeError('a number expected in the catalogue');
  return json;
}

function strings(json: unknown): string[] {
  return json === undefined ? [] : list(json).map(String);
}

function optional<T>(json: unknown, read: (json: unknown) => T): T | undefined {
  return json === undefined ? undefined : read(json);
}
