import { isDesigned } from '@azimuth/test-support/interface/design-facts';
import { describe, expect, test } from 'vitest';
import { allEndpoints, allFiles, allMethods, allVariables, groups } from '../src/index.js';
import { fromHex, fromText, hexOf, textOf } from './coding.js';

const types = [
  ...allVariables.map((variable) => [variable.name, variable.type] as const),
  ...allMethods.flatMap(({ name, request, response }) => [
    [`${name} request`, request] as const,
    [`${name} response`, response] as const,
  ]),
];

const declared = [...allEndpoints, ...allFiles];

describe('the groups', () => {
  test('declare no name twice', () => {
    const names = declared.map(({ name }) => name);
    const aliases = allVariables.flatMap(({ facts }) => facts.aliases ?? []);
    const all = [...names, ...aliases];
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  });

  test('give every member its name and its group', () => {
    const members = groups.flatMap(({ name, members }) =>
      Object.keys(members).map((key) => `${name}: ${key}`),
    );
    expect(declared.map(({ name, group }) => `${group}: ${name}`).sort()).toEqual(members.sort());
  });
});

describe('every declaration', () => {
  test.each(declared.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s says in one line what it is for',
    (_, endpoint) => {
      const { text } = endpoint.facts;
      expect(text).toMatch(/^\S.*[.?]$/);
      expect(text.length).toBeLessThanOrEqual(110);
    },
  );

  test('is stored if and only if it can be written', () => {
    const known = allVariables.filter(({ name }) => isDesigned(name));
    const stored = known.filter((variable) => variable.stored).map(({ name }) => name);
    const writable = known.filter(({ facts }) => facts.write !== undefined).map(({ name }) => name);
    expect(stored).toEqual(writable);
  });
});

describe('every default', () => {
  test.each(types)('of %s is a value of its own type', (_, type) => {
    expect(type.fromJson(JSON.parse(JSON.stringify(type.initial)), 'X')).toEqual(type.initial);
  });

  // Telegrams of FieldEvaluationResult always have all evaluations.
  const inTelegrams = types.filter(([name]) => name !== 'FieldEvaluationResult');

  test.each(inTelegrams)('of %s survives the legacy text', (_, type) => {
    expect(fromText(type, textOf(type, type.initial))).toEqual(type.initial);
  });

  test.each(inTelegrams)('of %s survives the legacy binary encoding', (_, type) => {
    expect(fromHex(type, hexOf(type, type.initial))).toEqual(type.initial);
  });
});
