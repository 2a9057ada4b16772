import type { Dice } from '../../support/dice.js';
import type { Target } from './catalogue.js';
import { type Category, callable, expectOneOf, statusOf, writable } from './category.js';
import { allowed, edge, notInEnumeration } from './edges.js';
import { hostileValue, spoiled, strangerName } from './hostile-json.js';
import { post } from './requests.js';

/** Bodies of every kind, from somebody who has not logged in: none of them may change anything. */
export const bodies: Category = {
  name: 'bodies',
  weight: 20,
  run: async (lane, dice, catalogue) => {
    const target = dice.pick(catalogue);
    const { name } = target;
    const texts: readonly (() => string)[] = [
      () => hostileValue(dice),
      () => `{"data":${hostileValue(dice)}}`,
      () => `{"header":${hostileValue(dice)},"data":${dataFor(target, dice)}}`,
      () => `{"data":1,"data":${dataFor(target, dice)},"${strangerName(dice)}":1}`,
      () => `{"__proto__":{"header":{},"data":{"user":"Service"}}}`,
    ];
    const text = dice.pick(texts)();
    const body = dice.percent(70) ? Buffer.from(text) : spoiled(text, dice);
    const type = dice.pick([
      [],
      ['Content-Type: text/plain'],
      ['Content-Type: application/json; charset=utf-16'],
    ]);
    const fitting = target.login ? [1, 4, 5, 8] : [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    return [expectOneOf(statusOf(await lane.ask(post(name, body, type))), fitting, name)];
  },
};

/** Values at every edge of every variable, from somebody who may write them. */
export const writes: Category = {
  name: 'writes at edges',
  weight: 40,
  run: async (lane, dice, catalogue) => {
    const target = dice.pick(writable(catalogue));
    const status = statusOf(await lane.authorized(target.name, dataFor(target, dice)));
    return [expectOneOf(status, [0, 1, 2, 6, 7, 9], target.name)];
  },
};

/** Requests at every edge of every method. */
export const calls: Category = {
  name: 'calls at edges',
  weight: 20,
  run: async (lane, dice, catalogue) => {
    const target = dice.pick(callable(catalogue));
    const data = target.schema === undefined ? hostileValue(dice) : edge(target.schema, dice);
    const status = statusOf(await lane.authorized(target.name, dice.percent(5) ? undefined : data || '0'));
    return [expectOneOf(status, [0, 1, 2, 3, 6, 7, 9], target.name)];
  },
};

/** Structs in which all is right but for one member too many, of a name that objects of JavaScript know. */
export const strangersToStructs: Category = {
  name: 'strangers to structs',
  weight: 4,
  run: async (lane, dice, catalogue) => {
    const { name, schema } = dice.pick(
      writable(catalogue).filter((target) => target.schema?.type === 'object'),
    );
    const value = allowed(schema ?? {}, dice).replace(/\}$/, `,${JSON.stringify(strangerName(dice))}:1}`);
    return [expectOneOf(statusOf(await lane.authorized(name, `{"${name}":${value}}`)), [2, 6, 7, 9], name)];
  },
};

/** Values that are not in an enumeration, whatever else is right. */
export const strangersToEnumerations: Category = {
  name: 'not in enumerations',
  weight: 3,
  run: async (lane, dice, catalogue) => {
    const enumerations = writable(catalogue).flatMap(({ name, schema }) => {
      const value = schema === undefined ? undefined : notInEnumeration(schema);
      return value === undefined ? [] : [{ name, value }];
    });
    const { name, value } = dice.pick(enumerations);
    const reply = await lane.authorized(name, `{"${name}":${value}}`);
    return [expectOneOf(statusOf(reply), [9], name)];
  },
};

/** Writes of what nobody can write. */
export const readOnly: Category = {
  name: 'read only',
  weight: 3,
  run: async (lane, dice, catalogue) => {
    const { name } = dice.pick(catalogue.filter(({ kind, posts }) => kind === 'variable' && !posts));
    const body = dice.pick(['', '{}', '[', `{"data":{"${name}":1}}`, hostileValue(dice)]);
    return [expectOneOf(statusOf(await lane.ask(post(name, body))), [8], name)];
  },
};

/** What `data` may be for a target: near to what it takes, or nowhere near. */
function dataFor({ name, kind, schema }: Target, dice: Dice): string {
  if (schema === undefined || dice.percent(5)) return hostileValue(dice);
  if (kind === 'method') return edge(schema, dice);
  const value = dice.percent(30) ? allowed(schema, dice) : edge(schema, dice);
  if (dice.percent(5)) return `{"${strangerName(dice)}":${value}}`;
  if (dice.percent(5)) return `{"${name}":${value},"${name}":${value}}`;
  if (dice.percent(5)) return `{"${name}":${value},"${strangerName(dice)}":1}`;
  return `{"${name}":${value}}`;
}
