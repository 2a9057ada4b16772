import { allVariables, type Edition, type Variable } from '@azimuth/model';
import { openApi } from '@azimuth/model/openapi';
import { isObject, type JsonObject, object, parse } from '@azimuth/test-support/json';
import { editions, newest } from '@azimuth/test-support/openapi-scanner';
import { describe, expect, test } from 'vitest';
import { Schemas } from './schemas.js';

function factoryValue(variable: Variable<unknown>, { release }: Edition): unknown {
  return variable.factoryValue({ release, createdWith: release });
}

/** Every default in a schema that differs from the value at its place, by that place; one that is absent too. */
function wrongDefaults(at: string, schema: JsonObject, value: unknown): string[] {
  const { default: stated, properties } = schema;
  const here = JSON.stringify(stated) === JSON.stringify(value) ? [] : [`${at}: ${JSON.stringify(stated)}`];
  return [...here, ...wrongMembers(at, properties, value)];
}

/** The same for the members of an object alone. */
function wrongMembers(at: string, properties: unknown, value: unknown): string[] {
  if (!isObject(properties) || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    wrongDefaults(`${at}.${name}`, object(properties[name]), member),
  );
}

describe.each(editions)('the description of %s', (_, edition) => {
  const document = openApi(edition);
  const schemas = new Schemas(document);
  const variables = allVariables.filter((variable) => variable.isIn(edition));

  test('states the factory values of its release, including the members of structs', () => {
    const stated = object(parse(JSON.stringify(document.components.schemas)));
    const wrong = variables.flatMap((variable) =>
      wrongDefaults(variable.name, object(stated[variable.name]), factoryValue(variable, edition)),
    );
    expect(wrong).toEqual([]);
  });

  test('states the same for the members of a struct in its parts', () => {
    const wrong = variables.flatMap((variable) => {
      const get = document.paths[`/api/${variable.name}`]?.get;
      const data = get === undefined ? undefined : schemas.member(schemas.response(get), 'data');
      return wrongMembers(variable.name, object(data).properties, factoryValue(variable, edition));
    });
    expect(wrong).toEqual([]);
  });
});

describe('a default that differs from the factory value', () => {
  const schema = {
    default: { a: 1, b: { c: 2 } },
    properties: { a: { default: 1 }, b: { default: { c: 2 } } },
  };

  test('is found at its place', () => {
    const properties = { a: { default: 3 }, b: { default: { c: 2 }, properties: { c: {} } } };
    expect(wrongDefaults('X', { ...schema, properties }, { a: 1, b: { c: 2 } })).toEqual([
      'X.a: 3',
      'X.b.c: undefined',
    ]);
    expect(wrongDefaults('X', schema, { a: 1, b: { c: 4 } })).toHaveLength(2);
  });

  test('is checked in several releases, because some values differ', () => {
    const oldest: Edition = { ...newest, release: '1.4.0' };
    const differing = allVariables.filter(
      (variable) =>
        JSON.stringify(factoryValue(variable, oldest)) !== JSON.stringify(factoryValue(variable, newest)),
    );
    expect(differing.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['DeviceIdent', 'EtherDHCPFallback']),
    );
  });
});
