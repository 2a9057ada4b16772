import {
  checkedFault,
  checkedPlan,
  FaultPlanError,
  faultKinds,
  isFaultKind,
  membersOf,
  mostFaults,
  planSchema,
} from '@azimuth/model/faults';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';

const kinds = Object.keys(faultKinds).filter(isFaultKind);

function problemsOf(plan: unknown): readonly string[] {
  try {
    checkedPlan(plan);
    return [];
  } catch (error) {
    if (error instanceof FaultPlanError) return error.problems;
    throw error;
  }
}

describe('a plan of faults', () => {
  test('gets the defaults of its faults', () => {
    expect(checkedPlan({ seed: 7, faults: [{ kind: 'http-latency', latency: 50, for: 1000 }] })).toEqual({
      seed: 7,
      faults: [
        {
          kind: 'http-latency',
          latency: 50,
          jitter: 0,
          endpoint: '*',
          method: 'any',
          at: 0,
          for: 1000,
          after: 0,
          every: 1,
          probability: 1,
        },
      ],
    });
  });

  test.each([
    [[], 'expected an object with the member faults'],
    [{}, 'faults: a list of faults, not nothing'],
    [{ faults: 7 }, 'faults: a list of faults, not 7'],
    [{ faults: [], sed: 1 }, 'unknown member "sed"; did you mean seed?'],
    [{ faults: [], seed: -1 }, 'seed: a whole number 0 to 4294967295, not -1'],
    [{ faults: [3] }, 'faults[0]: an object with the member kind, not 3'],
    [{ faults: [{}] }, 'faults[0].kind: the name of a kind of fault, not nothing'],
    [
      { faults: [{ kind: 'stream-los' }] },
      'faults[0].kind: the name of a kind of fault, not "stream-los"; did you mean stream-loss?',
    ],
    [{ faults: [{ kind: 'toString' }] }, 'faults[0].kind: the name of a kind of fault, not "toString"'],
    [
      { faults: [{ kind: 'link-down' }, { kind: 'http-429' }, { kind: 'http-latency', latency: 'x' }] },
      'faults[2].latency: a number of ms 0 to 60000, not "x"',
    ],
    [
      { faults: [{ kind: 'http-latency', latency: null }] },
      'faults[0].latency: a number of ms 0 to 60000, not null',
    ],
    [
      { faults: [{ kind: 'stream-loss', stream: 'lidar' }] },
      'faults[0].stream: scan or imu or encoder or any, not "lidar"',
    ],
    [
      { faults: [{ kind: 'stream-loss', probabilty: 1 }] },
      'faults[0]: stream-loss has no member "probabilty"; did you mean probability?',
    ],
    [{ faults: [{ kind: 'http-reset', handled: 'yes' }] }, 'faults[0].handled: true or false, not "yes"'],
    [
      { faults: [{ kind: 'link-down', for: 5000, repeat: 5000 }] },
      'faults[0].for: less than repeat (5000), not 5000',
    ],
  ])('%j is refused: %s', (plan, problem) => expect(problemsOf(plan)).toEqual([problem]));

  test('names every problem, but not thousands of them', () => {
    expect(problemsOf({ faults: [{ kind: 'x' }, { kind: 'http-429', retryAfter: 0 }] })).toHaveLength(2);
    const faults = Array.from({ length: 100 }, () => ({ kind: 'link-down', at: -1 }));
    expect(problemsOf({ faults })).toHaveLength(21);
    expect(problemsOf({ faults }).at(-1)).toBe('and 80 more');
  });

  test('has at most 1000 faults', () => {
    const faults = Array.from({ length: mostFaults }, () => ({ kind: 'link-down' }));
    expect(problemsOf({ faults })).toEqual([]);
    expect(problemsOf({ faults: [...faults, { kind: 'link-down' }] })).toEqual([
      'faults: at most 1000, not 1001',
    ]);
  });

  test('shows the beginning of a long value only', () => {
    const [problem = ''] = problemsOf({ faults: [{ kind: 'y'.repeat(1000) }] });
    expect(problem.length).toBeLessThan(200);
  });
});

describe('the schema of a plan', () => {
  const validate = new Ajv2020({ strict: false }).compile(planSchema());

  test.each(kinds)('accepts %s with its defaults, and refuses another member', (kind) => {
    const fault = checkedFault({ kind });
    expect(validate({ seed: 1, faults: [{ kind }, fault] })).toBe(true);
    expect(validate({ faults: [{ kind, others: 1 }] })).toBe(false);
  });

  test.each(kinds)('refuses values of %s that the check refuses', (kind) => {
    for (const name of Object.keys(membersOf(kind))) {
      expect(validate({ faults: [{ kind, [name]: [] }] }), name).toBe(false);
      expect(problemsOf({ faults: [{ kind, [name]: [] }] }), name).toHaveLength(1);
    }
  });
});
