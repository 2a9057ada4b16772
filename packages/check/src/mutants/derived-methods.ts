import type { Method } from '@azimuth/model';
import { methodsOf } from '../cases/derived/method.js';
import { methodCalls } from '../cases/derived/method-calls.js';
import { requestMistakes } from '../cases/derived/method-requests.js';
import type { CheckSubject } from '../scanner/checked-scanner.js';
import type { DeclarationChange } from './changes/index.js';
import { type ChangesByCase, mutantsOf } from './derived-variables.js';
import type { DeclarationMutant } from './mutant.js';

/** Returns the mutants of the cases about each method. */
export function methodMutants(subject: CheckSubject): readonly DeclarationMutant[] {
  return methodsOf(subject).flatMap((method) => mutantsOf('method', method.name, changesOf(method)));
}

/** What a scanner does that has a mistake in a request not refused. */
const taken: Readonly<Record<string, DeclarationChange>> = {
  'missing-member': 'takes incomplete data',
  'wrong-type': 'takes invalid data',
  null: 'takes invalid data',
  fraction: 'takes invalid data',
  'unknown-member': 'takes invalid data',
  range: 'takes numbers out of range',
  length: 'takes lengths out of bounds',
  values: 'takes illegal values',
};

function changesOf(method: Method<unknown, unknown>): ChangesByCase {
  const { name, facts } = method;
  const { calls } = methodCalls[name] ?? {};
  const mistakes = requestMistakes(method).map(
    ({ what }): readonly [string, readonly DeclarationChange[]] => {
      const change = taken[what];
      return [what, change === undefined ? [] : [change, 'refuses with another status']];
    },
  );
  return {
    get: ['can be read'],
    ...(calls === undefined ? {} : { response: [...more(method), ...less(method)] }),
    ...Object.fromEntries(mistakes),
    ...(needsData(method) ? { 'missing-data': ['takes incomplete data'] } : {}),
    ...(facts.level === 'open' ? {} : { 'no-header': ['needs no login'], ...levelChanges(method) }),
  };
}

/** A challenge is made of its members alone. */
function more({ facts }: Method<unknown, unknown>): readonly DeclarationChange[] {
  return facts.responseMember === 'challenge' ? [] : ['answers more'];
}

function less({ facts }: Method<unknown, unknown>): readonly DeclarationChange[] {
  const last = Object.keys(facts.response ?? {}).at(-1);
  return last === undefined || facts.mayLack?.includes(last) === true ? [] : ['answers less'];
}

function needsData({ facts }: Method<unknown, unknown>): boolean {
  const { request = {}, optional = [] } = facts;
  return Object.keys(request).some((member) => !optional.includes(member));
}

function levelChanges(method: Method<unknown, unknown>): ChangesByCase {
  const { name, facts } = method;
  if (name === 'checkCredentials') return {};
  const { calls } = methodCalls[name] ?? {};
  const mayBeCalled = needsData(method) || (calls !== undefined && calls.before === undefined);
  const lower: readonly DeclarationChange[] = facts.level === 'login' ? [] : ['needs a lower level'];
  const higher: readonly DeclarationChange[] =
    mayBeCalled && facts.level !== 'Service' ? ['needs a higher level'] : [];
  return lower.length + higher.length === 0 ? {} : { level: [...lower, ...higher] };
}
