import {
  type Designed,
  designed,
  designedEvents,
  designedGroups,
  designedProfiles,
  designedRows,
  isDesigned,
} from '@azimuth/test-support/interface/design-facts';
import { notation } from '@azimuth/test-support/interface/type-notation';
import { describe, expect, test } from 'vitest';
import {
  allEndpoints,
  allFiles,
  allVariables,
  type Declaration,
  FileEndpoint,
  groups,
  Method,
  performanceProfiles,
  releases,
  type Shape,
  Variable,
} from '../src/index.js';
import { correctedTypes, requestDefaults, responseDefaults, variableDefaults } from './design-defaults.js';

const declared = new Map<string, Declaration>(
  [...allEndpoints, ...allFiles].map((endpoint) => [endpoint.name, endpoint]),
);

function find(name: string): Declaration {
  const endpoint = declared.get(name);
  if (endpoint === undefined) throw new Error(`${name} is not declared`);
  return endpoint;
}

function variable(name: string): Variable<unknown> {
  const endpoint = find(name);
  if (!(endpoint instanceof Variable)) throw new Error(`${name} is no variable`);
  return endpoint;
}

function method(name: string): Method<unknown, unknown> {
  const endpoint = find(name);
  if (!(endpoint instanceof Method)) throw new Error(`${name} is no method`);
  return endpoint;
}

/** Returns the members of a request that the table names, in its words. Unknown members are left out. */
function membersOf({ request: { shape } }: Method<unknown, unknown>, takes: readonly string[]): string[] {
  const members = shape.kind === 'struct' ? Object.entries(shape.members) : [];
  return members
    .map(([name, { optional }]) => (optional ? `?${name}` : name))
    .filter((name) => takes.some((known) => known.replace('?', '') === name.replace('?', '')));
}

/** Returns the facts of the model about a name, in the words of the table. */
function modelled(name: string, { takes, section }: Designed): Designed {
  const endpoint = find(name);
  const { variant } = endpoint;
  const everywhere = variant === undefined ? {} : { variant };
  if (endpoint instanceof FileEndpoint) return { ...everywhere, verbs: endpoint.verbs };
  if (endpoint instanceof Method) {
    const { level } = endpoint.facts;
    return {
      ...everywhere,
      call: level,
      takes: takes === undefined ? undefined : membersOf(endpoint, takes),
      // A method has no section of its own; its group has one, for its variables.
      section,
    };
  }
  const { facts, isEvent, section: ofVariable } = variable(name);
  const { write, unit, aliases } = facts;
  return {
    ...everywhere,
    write,
    unit,
    ...(isEvent ? { event: true } : {}),
    aliases,
    ...(ofVariable === 'device' ? {} : { section: ofVariable }),
  };
}

/** Returns the default at a place: the members' names with dots between them, and `[]` for the items of an array. */
function defaultAt(shape: Shape, initial: unknown, path: readonly string[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return initial;
  if (step === '[]' && shape.kind === 'array') return defaultAt(shape.of, undefined, rest);
  const member = shape.kind === 'struct' ? shape.members[step] : undefined;
  if (member === undefined) throw new Error(`there is no ${step}`);
  return defaultAt(member.shape, member.initial, rest);
}

/** Splits a place into the name of its declaration and the steps from there. */
function stepsOf(place: string): { name: string; path: string[] } {
  const [name = '', ...path] = place.replaceAll('[]', '.[]').split('.');
  return { name, path };
}

describe('the design', () => {
  test('has the 24 groups of the specification, in its order', () => {
    expect(designedGroups).toHaveLength(24);
    const known = groups.map(({ name }) => name).filter((name) => designedGroups.includes(name));
    expect(known).toEqual(designedGroups);
  });

  const places = Object.entries(designed).flatMap(([group, names]) =>
    Object.keys(names).map((name) => [name, group] as const),
  );

  test.each(places)('finds %s in the group %s', (name, group) => {
    expect(find(name).group).toBe(group);
  });

  test.each(designedRows)('says of %s what the model says', (name, row) => {
    expect(modelled(name, row)).toEqual(row);
  });

  test('has fourteen events', () => {
    expect(designedEvents).toHaveLength(14);
  });

  test('has eleven performance profiles', () => {
    expect(Object.keys(designedProfiles)).toHaveLength(11);
    expect(performanceProfiles).toEqual(designedProfiles);
  });
});

describe('a default', () => {
  test.each(Object.entries(variableDefaults))('of %s is that of the design', (place, value) => {
    const { name, path } = stepsOf(place);
    const { shape, initial } = variable(name).type;
    expect(defaultAt(shape, initial, path)).toEqual(value);
  });

  test.each(Object.entries(requestDefaults))('of the request of %s is that of the design', (place, value) => {
    const { name, path } = stepsOf(place);
    const { shape, initial } = method(name).request;
    expect(defaultAt(shape, initial, path)).toEqual(value);
  });

  test.each(Object.entries(responseDefaults))(
    'of the response of %s is that of the design',
    (place, value) => {
      const { name, path } = stepsOf(place);
      const { shape, initial } = method(name).response;
      expect(defaultAt(shape, initial, path)).toEqual(value);
    },
  );

  test('differs by release for three variables only', () => {
    const differing = allVariables.filter(
      (one) =>
        new Set(
          releases.map((release) => JSON.stringify(one.factoryValue({ release, createdWith: release }))),
        ).size > 1,
    );
    expect(differing.map(({ name }) => name).filter(isDesigned)).toEqual([
      'DeviceIdent',
      'EtherDHCPFallback',
    ]);
  });

  test.each(allVariables.filter(({ name }) => isDesigned(name)).map((one) => [one.name, one] as const))(
    'of %s is what the newest release leaves the factory with',
    (_, one) => {
      expect(one.factoryValue({ release: '2.4.4', createdWith: '2.4.4' })).toEqual(one.type.initial);
    },
  );
});

test.each(Object.entries(correctedTypes))('the type of %s is that of the design', (name, type) => {
  expect(notation(variable(name).type.shape)).toBe(type);
});
