import {
  builtInInterface,
  type FileEndpoint,
  levels,
  type Method,
  type Release,
  releases,
  type Shape,
  sameJson,
  statuses,
  type Variable,
} from '@azimuth/model';

/**
 * Returns what the model states of each name, by the name: kind, group, releases, variant, level, type, factory values; and its
 * statuses, levels and releases. The derived cases judge a scanner by these facts.
 */
export function factLines(): ReadonlyMap<string, string> {
  const { variables, methods, files } = builtInInterface;
  return new Map([
    ['statuses', JSON.stringify(statuses)],
    ['levels', JSON.stringify(levels)],
    ['releases', JSON.stringify(releases)],
    ...variables.map((one) => [one.name, line(one, variableFacts(one))] as const),
    ...methods.map((one) => [one.name, line(one, methodFacts(one))] as const),
    ...files.map((one) => [one.name, line(one, fileFacts(one))] as const),
  ]);
}

type Facts = Readonly<Record<string, unknown>>;

function line(one: Variable<unknown> | Method<unknown, unknown> | FileEndpoint, facts: Facts): string {
  const { since, until } = one.facts;
  return JSON.stringify({ kind: one.kind, group: one.group, since, until, variant: one.variant, ...facts });
}

function variableFacts(one: Variable<unknown>): Facts {
  return {
    write: one.facts.write,
    stored: one.stored,
    section: one.section,
    event: one.isEvent || undefined,
    aliases: one.facts.aliases,
    type: shapeFacts(one.type.shape),
    factory: factoryValues(one),
  };
}

/** Returns the factory values from the oldest release on: only those that differ from the release before. */
function factoryValues(one: Variable<unknown>): Facts {
  const values: Record<string, unknown> = {};
  let last: unknown;
  for (const release of releases) {
    const value = factoryValue(one, release);
    if (!sameJson(value, last)) values[release] = value;
    last = value;
  }
  return values;
}

function factoryValue(one: Variable<unknown>, release: Release): unknown {
  return one.factoryValue({ release, createdWith: release });
}

function methodFacts({ facts, request, response }: Method<unknown, unknown>): Facts {
  const { level, optional, responseMember } = facts;
  return {
    level,
    optional,
    responseMember,
    request: shapeFacts(request.shape),
    response: shapeFacts(response.shape),
  };
}

function fileFacts({ facts: { verbs } }: FileEndpoint): Facts {
  const stated = Object.entries(verbs).map(
    ([verb, { accepts, part, maxBytes, produces, query, tokenSince }]) =>
      [verb, { accepts, part, maxBytes, produces, query, tokenSince }] as const,
  );
  return { verbs: Object.fromEntries(stated) };
}

/** Returns a shape as JSON, without what people read. */
function shapeFacts(shape: Shape): unknown {
  switch (shape.kind) {
    case 'array':
      return { ...shape, of: shapeFacts(shape.of) };
    case 'struct': {
      const members = Object.entries(shape.members).map(
        ([name, { shape: of, initial, optional }]) =>
          [name, { of: shapeFacts(of), initial, optional: optional || undefined }] as const,
      );
      return { kind: 'struct', members: Object.fromEntries(members) };
    }
    default:
      return shape;
  }
}
