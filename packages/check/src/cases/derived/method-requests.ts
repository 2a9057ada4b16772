import type { Method } from '@azimuth/model';
import type { Json } from '../../match/matcher.js';
import type { Step } from '../../steps/index.js';
import type { ConformanceCase, RequirementLevel } from '../case.js';
import { edgesOf, type LimitKind, statusBeyond } from './edges.js';
import { calling, methodCalls } from './method-calls.js';
import { plainValue } from './other-value.js';
import {
  fractions,
  missingMembers,
  nulls,
  unknownMembers,
  type WrongValue,
  wrongTypes,
} from './wrong-values.js';

/** A kind of mistake in a request, with the requests that have it. */
export interface RequestMistake {
  readonly what: string;
  readonly status: number;
  readonly values: readonly WrongValue[];
  readonly clause: string;
  readonly level?: RequirementLevel;
}

/** Returns a request of a method whose members are all valid. */
export function requestOf({ name, request }: Method<unknown, unknown>): Json {
  return methodCalls[name]?.request ?? plainValue(request.shape);
}

/** Returns the mistakes that a request can have. */
export function requestMistakes(method: Method<unknown, unknown>): readonly RequestMistake[] {
  if (!method.hasRequest) return [];
  const { name, request } = method;
  const { shape } = request;
  const right = requestOf(method);
  const all: readonly RequestMistake[] = [
    {
      what: 'missing-member',
      status: 1,
      values: missingMembers(shape, right),
      clause: `${name} refuses a request without one of its members with status 1, Parsing Failed.`,
    },
    {
      what: 'wrong-type',
      status: 2,
      values: wrongTypes(shape, right),
      clause: `${name} refuses JSON of another type with status 2, Invalid Data.`,
    },
    {
      what: 'null',
      status: 2,
      values: nulls(shape, right).filter(({ at }) => at !== ''),
      clause: `${name} refuses null in a member with status 2, Invalid Data.`,
    },
    {
      what: 'fraction',
      status: 2,
      values: fractions(shape, right),
      clause: `${name} refuses a fraction for a whole number with status 2, Invalid Data.`,
    },
    {
      what: 'unknown-member',
      status: 2,
      values: unknownMembers(shape, right),
      clause: `${name} refuses a member that it does not have with status 2, Invalid Data.`,
      level: 'should',
    },
    ...beyondLimits(method, right),
  ];
  return all.filter(({ values }) => values.length > 0);
}

const limitTexts: Readonly<Record<LimitKind, string>> = {
  range: 'numbers beyond their range with status 6, Out Of Range',
  length: 'texts and lists of another length with status 7, Out Of Bounds',
  values: 'numbers that are none of an enumeration with status 9, Illegal Value',
};

const limitKinds: readonly LimitKind[] = ['range', 'length', 'values'];

function beyondLimits({ name, request }: Method<unknown, unknown>, right: Json): readonly RequestMistake[] {
  const beyond = edgesOf(request.shape, right).filter(({ isAllowed }) => !isAllowed);
  return limitKinds.map((kind) => ({
    what: kind,
    status: statusBeyond[kind],
    values: beyond.filter((edge) => edge.kind === kind),
    clause: `${name} refuses ${limitTexts[kind]}.`,
  }));
}

/** Cases about requests that a method refuses. */
export function requestCases(method: Method<unknown, unknown>): readonly ConformanceCase[] {
  const { name, facts } = method;
  const { harm = 'read' } = methodCalls[name] ?? {};
  const isOpen = facts.level === 'open';
  const stage = harm === 'read' && !isOpen ? 'write' : harm;
  const send = calling(isOpen);
  const refused = (status: number, { at, value }: WrongValue): Step =>
    send(name, { status }, { data: value, about: `${name}${at}` });
  return [
    ...requestMistakes(method).map(
      ({ what, status, values, clause, level = 'must' }): ConformanceCase => ({
        id: `method.${name}.${what}`,
        clause,
        place: 'specification: Errors',
        level,
        stage,
        steps: values.map((value) => refused(status, value)),
      }),
    ),
    ...missingData(method, stage, send),
  ];
}

function missingData(
  { name, facts }: Method<unknown, unknown>,
  stage: ConformanceCase['stage'],
  send: ReturnType<typeof calling>,
): readonly ConformanceCase[] {
  const { request = {}, optional = [] } = facts;
  if (Object.keys(request).every((member) => optional.includes(member))) return [];
  return [
    {
      id: `method.${name}.missing-data`,
      clause: `${name} refuses a request without data with status 1, Parsing Failed.`,
      place: 'specification: Errors',
      level: 'must',
      stage,
      steps: [send(name, { status: 1 }), send(name, { status: 1 }, { data: {} })],
    },
  ];
}
