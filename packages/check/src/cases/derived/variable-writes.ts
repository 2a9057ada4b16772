import type { Variable } from '@azimuth/model';
import type { Json } from '../../match/matcher.js';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { get, type RequestStep, type Step, write } from '../../steps/index.js';
import type { ConformanceCase, RequirementLevel } from '../case.js';
import { type Edge, type LimitKind, statusBeyond } from './edges.js';
import { type ValuesOfVariable, valuesOf } from './values-of-variable.js';
import { variableExceptions } from './variable-exceptions.js';
import {
  fractions,
  missingMembers,
  nulls,
  unknownMembers,
  type WrongValue,
  wrongTypes,
} from './wrong-values.js';

/** Cases that write a variable with a login, or try to. */
export function writeCases(variable: Variable<unknown>, subject: CheckSubject): readonly ConformanceCase[] {
  if (variable.facts.write === undefined) return [];
  const values = valuesOf(variable, subject);
  const { before = [] } = variableExceptions[variable.name] ?? {};
  return [
    taken(variable, values),
    ...limits(variable, values),
    ...mistakes(variable, values),
    missingData(variable),
    wrongKey(variable, values),
  ].map((one) => ({ ...one, names: [variable.name], steps: [...before, ...one.steps] }));
}

function caseOf(
  { name }: Variable<unknown>,
  what: string,
  rest: Pick<ConformanceCase, 'clause' | 'place' | 'steps'> & Partial<ConformanceCase>,
): ConformanceCase {
  return { id: `variable.${name}.${what}`, level: 'must', stage: 'write', ...rest };
}

function reads(name: string, value: Json, about: string): RequestStep {
  return get(name, { status: 0, data: { has: { [name]: { is: value } } } }, { about });
}

function writes(name: string, value: Json, about: string): readonly RequestStep[] {
  return [write(name, value, { status: 0 }, { about }), reads(name, value, about)];
}

/** Two values one after the other: the scanner may have the first one already. */
function taken(variable: Variable<unknown>, { initial, other }: ValuesOfVariable): ConformanceCase {
  const { name } = variable;
  return caseOf(variable, 'write', {
    clause: `A value that is written to ${name} is read back as it was written.`,
    place: 'specification: General facts 4 and 6',
    steps: [
      ...writes(name, other, `${name} with another value`),
      ...writes(name, initial, `${name} with its default`),
    ],
  });
}

const limitTexts: Readonly<Record<LimitKind, (name: string) => string>> = {
  range: (name) =>
    `${name} takes the ends of the range of each number, and refuses the next numbers with status 6, Out Of Range.`,
  length: (name) =>
    `${name} takes the least and the greatest length of each text and list, and refuses others with status 7, Out Of Bounds.`,
  values: (name) =>
    `${name} takes every value of its enumerations, and refuses others with status 9, Illegal Value.`,
};

const limitKinds: readonly LimitKind[] = ['range', 'length', 'values'];

function limits(variable: Variable<unknown>, { edges }: ValuesOfVariable): readonly ConformanceCase[] {
  return limitKinds.flatMap((kind) => {
    const ofKind = edges.filter((edge) => edge.kind === kind);
    if (ofKind.length === 0) return [];
    return caseOf(variable, kind, {
      clause: limitTexts[kind](variable.name),
      place: `specification: Errors; family: description of the group ${variable.group}`,
      steps: limitSteps(variable.name, statusBeyond[kind], ofKind),
    });
  });
}

function limitSteps(name: string, status: number, edges: readonly Edge[]): readonly Step[] {
  const allowed = edges.filter(({ isAllowed }) => isAllowed);
  const beyond = edges.filter(({ isAllowed }) => !isAllowed);
  return [
    ...allowed.flatMap(({ at, value }) => writes(name, value, `${name}${at}`)),
    ...refusedSteps(name, beyond, status),
  ];
}

interface Mistake {
  readonly what: string;
  readonly values: readonly WrongValue[];
  readonly status: number;
  readonly clause: string;
  readonly level?: RequirementLevel;
}

/** Values with one mistake. After all of them, the variable has the value that it had. */
function mistakes(variable: Variable<unknown>, { initial }: ValuesOfVariable): readonly ConformanceCase[] {
  const { name, type } = variable;
  const { shape } = type;
  const all: readonly Mistake[] = [
    {
      what: 'wrong-type',
      values: wrongTypes(shape, initial),
      status: 2,
      clause: `${name} refuses JSON of another type with status 2, Invalid Data, and keeps its value.`,
    },
    {
      what: 'fraction',
      values: fractions(shape, initial),
      status: 2,
      clause: `${name} refuses a fraction for a whole number with status 2, Invalid Data.`,
    },
    {
      what: 'null',
      values: nulls(shape, initial),
      status: 2,
      clause: `${name} refuses null with status 2, Invalid Data.`,
    },
    {
      what: 'missing-member',
      values: missingMembers(shape, initial),
      status: 1,
      clause: `${name} refuses a value without one of its members with status 1, Parsing Failed.`,
    },
    {
      what: 'unknown-member',
      values: unknownMembers(shape, initial),
      status: 2,
      clause: `${name} refuses a value with a member that it does not have with status 2, Invalid Data.`,
      level: 'should',
    },
  ];
  return all.flatMap(({ what, values, status, clause, level = 'must' }) => {
    if (values.length === 0) return [];
    return caseOf(variable, what, {
      clause,
      place: 'specification: Errors',
      level,
      steps: refusedSteps(name, values, status),
    });
  });
}

function refusedSteps(name: string, values: readonly WrongValue[], status: number): readonly Step[] {
  return [
    get(name, {}, { save: { before: `data.${name}` } }),
    ...values.map(({ at, value }) => write(name, value, { status }, { about: `${name}${at}` })),
    get(name, { data: { has: { [name]: { isSaved: 'before' } } } }),
  ];
}

function missingData(variable: Variable<unknown>): ConformanceCase {
  const { name } = variable;
  const login = { level: 'Service' } as const;
  return caseOf(variable, 'missing-data', {
    clause: `A POST of ${name} without data, or with an empty object there, answers status 1, Parsing Failed.`,
    place: 'specification: Errors',
    steps: [{ login }, { login, data: {} }].map((options) => ({
      kind: 'request',
      method: 'POST',
      path: name,
      ...options,
      expect: { status: 1 },
    })),
  });
}

function wrongKey(variable: Variable<unknown>, { initial }: ValuesOfVariable): ConformanceCase {
  const { name } = variable;
  const withData = (data: Json, about: string) => write(name, null, { status: 2 }, { data, about });
  return caseOf(variable, 'wrong-key', {
    clause: `A POST of ${name} whose data has another key answers status 2, Invalid Data. Case counts.`,
    place: 'specification: Errors; Message conventions',
    steps: [
      withData(
        { [name.toLowerCase() === name ? name.toUpperCase() : name.toLowerCase()]: initial },
        'other case',
      ),
      withData({ Value: initial }, 'another key'),
    ],
  });
}
