import type { Json, Matcher } from '../../match/matcher.js';
import { get, post, type RequestStep, type Step } from '../../steps/index.js';
import { numbered, soon } from '../value-steps.js';

/** States of a field (guide: Field evaluation). */
export const FieldState = {
  NOT_CONFIGURED: 0,
  INACTIVE: 1,
  FREE: 2,
  DETECTING_INFRINGED: 3,
  INFRINGED: 4,
  DETECTING_FREE: 5,
} as const;

/** A square ahead of the scanner: 2 m to 4 m, in mm. */
export const square: Json = [
  { x: 2000, y: -1000 },
  { x: 4000, y: -1000 },
  { x: 4000, y: 1000 },
  { x: 2000, y: 1000 },
];

/** Members of an evaluation, beside its number. */
type EvaluationMembers = Readonly<Record<string, Json>>;

/** Returns a field: the square, unless its members say otherwise. */
export function field(id = 1, members: EvaluationMembers = {}): Json {
  return { Id: id, Points: square, ...members };
}

/** Returns an evaluation of the distances from the y axis, positive in front of the scanner. */
export function distance(id = 1, members: EvaluationMembers = {}): Json {
  return { Id: id, Type: 1, Points: square, ReferenceLine: aheadOfAxis, ...members };
}

/** The y axis, seen from left to right: ahead of the scanner is to its left. */
export const aheadOfAxis: Json = [
  { x: 0, y: 1000 },
  { x: 0, y: -1000 },
];

/** Returns a group that is always active, unless its activation says otherwise. */
export function group(id: number, evaluations: readonly number[], activation?: Json): Json {
  return {
    Id: id,
    Evaluations: evaluations,
    ...(activation === undefined ? {} : { Activation: activation }),
  };
}

export const byTelegram: Json = { Type: 3 };

/** Defines all fields and groups. Only scanners with `/x/fields` can do so over HTTP. */
export function define(
  evaluations: readonly Json[],
  groups: readonly Json[] = [group(1, [1])],
  status = 0,
): RequestStep {
  return post(
    '/x/fields',
    { status },
    { login: { level: 'Service' }, data: { fields: { evaluations, groups } } },
  );
}

/** Expects the result of a field. */
export function result(id: number, matcher: Matcher): RequestStep {
  return get('FieldEvaluationResult', {
    status: 0,
    data: { has: { FieldEvaluationResult: { has: { EvaluationResultList: numbered(id, matcher) } } } },
  });
}

/** Expects the state of a field. */
export function state(expected: keyof typeof FieldState, id = 1): RequestStep {
  return result(id, { has: { State: { is: FieldState[expected] } } });
}

/** s within which a field follows what is in it: its times are 50 ms, and a revolution lasts 67 ms at most. */
export const responseTime = 0.5;

/** Waits for the state of a field. */
export function becomes(expected: keyof typeof FieldState, id = 1, within = responseTime): Step {
  return soon(state(expected, id), within);
}

/** Expects the state of a group: 0 not configured, 1 active, 2 inactive. */
export function groupState(id: number, expected: number): RequestStep {
  return get('FieldEvaluationGroupState', {
    status: 0,
    data: { has: { FieldEvaluationGroupState: numbered(id, { is: expected }) } },
  });
}

/** Switches groups by telegram: `[group, on]`. Expects a result for each. */
export function activate(
  list: readonly (readonly [group: number, isOn: boolean])[],
  success: readonly boolean[] = list.map(() => true),
): RequestStep {
  return post(
    'ActivateEvaluationGroup',
    { status: 0, data: { has: { Success: { is: success } } } },
    {
      login: { level: 'Service' },
      data: { List: list.map(([GroupId, Activate]) => ({ GroupId, Activate })) },
    },
  );
}

/** Sides that cross. */
export const bowTie: Json = [
  { x: 1000, y: 0 },
  { x: 2000, y: 1000 },
  { x: 2000, y: 0 },
  { x: 1000, y: 1000 },
];

/** Expects that the first field is evaluated. */
export const isActive: RequestStep = result(1, { has: { State: { not: { is: FieldState.INACTIVE } } } });
