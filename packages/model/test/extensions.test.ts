import { describe, expect, test } from 'vitest';
import { allParameters, extensions, extensionsOf, Refusal } from '../src/index.js';

const { fields, history } = extensions.members;

function faultOf(json: unknown) {
  try {
    fields.type.fromJson(json, 'fields');
  } catch (error) {
    if (error instanceof Refusal) return [error.status, error.at];
    throw error;
  }
  return undefined;
}

const one = (evaluation: Record<string, unknown>) => ({
  evaluations: [{ Id: 1, ...evaluation }],
  groups: [],
});

describe('the definitions of fields', () => {
  test('leave the factory empty, and belong to the parameters of the application', () => {
    expect(fields.type.initial).toEqual({ evaluations: [], groups: [] });
    expect(allParameters).toContain(fields);
    expect([fields.section, fields.facts.write, fields.variant]).toEqual([
      'application',
      'AuthorizedClient',
      'full',
    ]);
  });

  test('need no more than numbers: everything else has a default', () => {
    const least = { evaluations: [{ Id: 1 }], groups: [{ Id: 1, Evaluations: [1] }] };
    expect(fields.type.fromJson(least, 'fields')).toEqual({
      evaluations: [
        {
          Id: 1,
          Name: '',
          Type: 0,
          Points: [],
          LowerZLimit: 0,
          UpperZLimit: 0,
          MinimumObjectSize: 200,
          InfringementThreshold: 1,
          TreatMissingDataAsInfringed: false,
          OcclusionHandling: 0,
          TimeForInfringedState: 50,
          TimeForFreeState: 50,
          ReferenceLine: [],
          ObjectDistanceThreshold: 0,
          ReflectorsOnly: false,
          ContourAsReference: false,
        },
      ],
      groups: [
        { Id: 1, Name: '', Activation: { Type: 1, Inputs: [], InitiallyActive: false }, Evaluations: [1] },
      ],
    });
  });

  test.each([
    ['Id', 0, 'outOfRange'],
    ['Id', 49, 'outOfRange'],
    ['Name', 'x'.repeat(21), 'outOfBounds'],
    ['Type', 2, 'illegalValue'],
    ['LowerZLimit', -100_001, 'outOfRange'],
    ['UpperZLimit', 100_001, 'outOfRange'],
    ['MinimumObjectSize', 5001, 'outOfRange'],
    ['InfringementThreshold', 0, 'outOfRange'],
    ['InfringementThreshold', 1001, 'outOfRange'],
    ['TreatMissingDataAsInfringed', 1, 'invalidData'],
    ['OcclusionHandling', 2, 'illegalValue'],
    ['TimeForInfringedState', 0, 'outOfRange'],
    ['TimeForFreeState', 10_001, 'outOfRange'],
    ['ObjectDistanceThreshold', 50_001, 'outOfRange'],
    ['ReflectorsOnly', 1, 'invalidData'],
    ['ContourAsReference', 'yes', 'invalidData'],
  ])('refuse %s %j', (member, value, status) => {
    expect(faultOf(one({ [member]: value }))).toEqual([status, `fields.evaluations[0].${member}`]);
  });

  test('refuse corners that are too many, or too far away', () => {
    const points = (count: number) => Array.from({ length: count }, (_, x) => ({ x, y: 0 }));
    expect(faultOf(one({ Points: points(100) }))).toBeUndefined();
    expect(faultOf(one({ Points: points(101) }))).toEqual(['outOfBounds', 'fields.evaluations[0].Points']);
    expect(faultOf(one({ Points: [{ x: 120_000, y: -120_000 }] }))).toBeUndefined();
    expect(faultOf(one({ Points: [{ x: 120_001, y: 0 }] }))).toEqual([
      'outOfRange',
      'fields.evaluations[0].Points[0].x',
    ]);
  });
});

describe('the detection history', () => {
  test('is readable and announced, and not a parameter', () => {
    expect(history.isEvent).toBe(true);
    expect(history.facts.write).toBeUndefined();
    expect(allParameters).not.toContain(history);
    expect(history.group).toBe('Detection history');
  });

  test('holds 200 detections', () => {
    const detections = (length: number) =>
      Array.from({ length }, () => ({
        Timestamp: 1,
        EvaluationId: 48,
        Name: '',
        Positions: [{ x: 1, y: 2 }],
      }));
    expect(history.type.fromJson(detections(200), 'history')).toHaveLength(200);
    expect(() => history.type.fromJson(detections(201), 'history')).toThrow('0 to 200 items');
  });
});

test('the full variant serves all, the basic variant what is not about its fields', () => {
  expect([...extensionsOf({ release: '1.4.0', variant: 'full' }).keys()]).toEqual([
    'fields',
    'teachIn',
    'history',
    'time',
    'conditions',
    'network',
    'firmware',
  ]);
  expect([...extensionsOf({ release: '2.4.4', variant: 'basic' }).keys()]).toEqual([
    'time',
    'conditions',
    'network',
    'firmware',
    'plug',
  ]);
});
