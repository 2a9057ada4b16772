import type { SeededRandom } from '@azimuth/test-support/seeded-random';
import type { Target } from './catalogue.js';
import { callable, writable } from './catalogue.js';
import { allowed, edge, notInEnumeration } from './edges.js';
import type { Category } from './fuzz-run.js';
import { hostileValue, spoiled, unknownName } from './hostile-json.js';
import { expectOneOf, statusOf } from './oracle.js';
import { post } from './requests.js';

/** Bodies of every kind without a login. None of them may change anything. */
export const bodies: Category = {
  name: 'bodies',
  weight: 20,
  run: async (client, random, catalogue) => {
    const target = random.pick(catalogue);
    const { name } = target;
    const texts: readonly (() => string)[] = [
      () => hostileValue(random),
      () => `{"data":${hostileValue(random)}}`,
      () => `{"header":${hostileValue(random)},"data":${dataFor(target, random)}}`,
      () => `{"data":1,"data":${dataFor(target, random)},"${unknownName(random)}":1}`,
      () => `{"__proto__":{"header":{},"data":{"user":"Service"}}}`,
    ];
    const text = random.pick(texts)();
    const body = random.percent(70) ? Buffer.from(text) : spoiled(text, random);
    const type = random.pick([
      [],
      ['Content-Type: text/plain'],
      ['Content-Type: application/json; charset=utf-16'],
    ]);
    const fitting = target.login ? [1, 4, 5, 8] : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    return [expectOneOf(statusOf(await client.request(post(name, body, type))), fitting, name)];
  },
};

/** Writes with a login, with values at the limits of every variable. */
export const writes: Category = {
  name: 'writes at edges',
  weight: 40,
  run: async (client, random, catalogue) => {
    const target = random.pick(writable(catalogue));
    const status = statusOf(await client.authorized(target.name, dataFor(target, random)));
    return [expectOneOf(status, [0, 1, 2, 6, 7, 9], target.name)];
  },
};

/** Calls with a login, with parameters at the limits of every method. */
export const calls: Category = {
  name: 'calls at edges',
  weight: 20,
  run: async (client, random, catalogue) => {
    const target = random.pick(callable(catalogue));
    const data = target.schema === undefined ? hostileValue(random) : edge(target.schema, random);
    const status = statusOf(
      await client.authorized(target.name, random.percent(5) ? undefined : data || '0'),
    );
    return [expectOneOf(status, [0, 1, 2, 3, 6, 7, 9], target.name)];
  },
};

/** Valid structs with one unknown member whose name JavaScript objects inherit. */
export const unknownMembers: Category = {
  name: 'unknown members',
  weight: 4,
  run: async (client, random, catalogue) => {
    const { name, schema } = random.pick(
      writable(catalogue).filter((target) => target.schema?.type === 'object'),
    );
    const value = allowed(schema ?? {}, random).replace(/\}$/, `,${JSON.stringify(unknownName(random))}:1}`);
    return [expectOneOf(statusOf(await client.authorized(name, `{"${name}":${value}}`)), [2, 6, 7, 9], name)];
  },
};

/** Values that an enumeration does not contain. */
export const valuesOutsideEnumerations: Category = {
  name: 'not in enumerations',
  weight: 3,
  run: async (client, random, catalogue) => {
    const enumerations = writable(catalogue).flatMap(({ name, schema }) => {
      const value = schema === undefined ? undefined : notInEnumeration(schema);
      return value === undefined ? [] : [{ name, value }];
    });
    const { name, value } = random.pick(enumerations);
    const reply = await client.authorized(name, `{"${name}":${value}}`);
    return [expectOneOf(statusOf(reply), [9], name)];
  },
};

/** Writes of variables that cannot be written. */
export const readOnly: Category = {
  name: 'read only',
  weight: 3,
  run: async (client, random, catalogue) => {
    const { name } = random.pick(catalogue.filter(({ kind, posts }) => kind === 'variable' && !posts));
    const body = random.pick(['', '{}', '[', `{"data":{"${name}":1}}`, hostileValue(random)]);
    return [expectOneOf(statusOf(await client.request(post(name, body))), [8], name)];
  },
};

/** Something to send as `data`: almost valid, or entirely wrong. */
function dataFor({ name, kind, schema }: Target, random: SeededRandom): string {
  if (schema === undefined || random.percent(5)) return hostileValue(random);
  if (kind === 'method') return edge(schema, random);
  const value = random.percent(30) ? allowed(schema, random) : edge(schema, random);
  if (random.percent(5)) return `{"${unknownName(random)}":${value}}`;
  if (random.percent(5)) return `{"${name}":${value},"${name}":${value}}`;
  if (random.percent(5)) return `{"${name}":${value},"${unknownName(random)}":1}`;
  return `{"${name}":${value}}`;
}
