import type { Method } from '@azimuth/model';
import type { CheckSubject } from '../../scanner/checked-scanner.js';
import { get } from '../../steps/index.js';
import type { Area, ConformanceCase } from '../case.js';
import { calling, methodCalls } from './method-calls.js';
import { methodLevelCases } from './method-levels.js';
import { requestCases } from './method-requests.js';

/** Each method by itself: its verb, its request, its response, its level. */
export const methodArea: Area = {
  name: 'method',
  title: 'Methods',
  cases: (subject) => methodsOf(subject).flatMap(casesOf),
};

/** Returns the methods that a scanner has, in the order of the interface. */
export function methodsOf({ known, has }: CheckSubject): readonly Method<unknown, unknown>[] {
  return known.methods.filter(({ name }) => has(name));
}

function casesOf(method: Method<unknown, unknown>): readonly ConformanceCase[] {
  return [verb(method), ...response(method), ...requestCases(method), ...methodLevelCases(method)].map(
    (one) => ({ ...one, names: [method.name] }),
  );
}

function verb({ name }: Method<unknown, unknown>): ConformanceCase {
  return {
    id: `method.${name}.get`,
    clause: `A GET of the method ${name} answers status 5, Not Found.`,
    place: 'specification: Errors',
    level: 'must',
    stage: 'read',
    steps: [get(name, { status: 5 })],
  };
}

function response(method: Method<unknown, unknown>): readonly ConformanceCase[] {
  const { name, facts } = method;
  const { request, calls } = methodCalls[name] ?? {};
  if (calls === undefined) return [];
  const { stage, needs = [], before = [], after = [] } = calls;
  const member = facts.responseMember ?? 'data';
  const body = {
    header: { present: true },
    ...(method.hasResponse ? { [member]: { ofMethod: name } } : {}),
  } as const;
  const send = calling(facts.level === 'open');
  return [
    {
      id: `method.${name}.response`,
      clause: method.hasResponse
        ? `${name} answers status 0, and in ${member} the members of its response.`
        : `${name} answers status 0, and nothing but the header.`,
      place: 'specification: Endpoints; Message conventions',
      level: 'must',
      stage,
      needs,
      steps: [
        ...before,
        send(name, { status: 0, body: { exactly: body } }, request === undefined ? {} : { data: request }),
        ...after,
      ],
    },
  ];
}
