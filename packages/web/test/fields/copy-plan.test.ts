import { type FieldDefinitions, GroupActivation } from '@azimuth/model';
import { expect, test } from 'vitest';
import { copyPlan, tooManyActive, whyNoCopy } from '../../src/fields/copy-plan.js';
import {
  evaluationOf,
  groupsOf,
  withEvaluation,
  withGroup,
  withNewEvaluation,
} from '../../src/fields/draft.js';
import { noFields } from '../../src/fields/field-editor.js';
import type { Definable } from '../../src/fields/scanner-fields.js';
import { degreesBetweenBeams, reachOfField, smallestObjects } from '../../src/fields/smallest-object.js';

const corners = [
  { x: 0, y: 0 },
  { x: 1000, y: 0 },
  { x: 0, y: 1000 },
];

/** Fields of these names, numbered from 1 on, in one group that is always active. */
function fieldsNamed(...names: readonly string[]): FieldDefinitions {
  return names.reduce<FieldDefinitions>(
    (now, Name) => withNewEvaluation(now, { Name, Points: corners })?.definitions ?? now,
    noFields,
  );
}

test('fields are added with their numbers, and join a group that is switched in the same way', () => {
  const plan = copyPlan(fieldsNamed('door', 'lane', 'gate'), fieldsNamed('theirs'), [2, 3], 'replace');
  expect(plan).toMatchObject({ added: ['2 lane', '3 gate'], replaced: [], left: [], newGroups: 0 });
  expect(plan.definitions.groups).toMatchObject([{ Id: 1, Evaluations: [1, 2, 3] }]);
});

test('fields are copied only from a scanner that tells them, to one that lets them be made', () => {
  const why = (source: Definable, target: Definable) => whyNoCopy(source, target, (side) => side);
  expect(why('all', 'all')).toBeUndefined();
  expect(why('unknown', 'all')).toBe('Reading the fields of source …');
  expect(why('all', 'unknown')).toBe('Reading the fields of target …');
  // Of such a scanner, the page knows no contours: copies would be empty.
  expect(why('contours', 'all')).toContain('source tells no client');
  expect(why('nothing', 'all')).toContain('source tells no client');
  expect(why('all', 'contours')).toContain('target lets no client make fields');
});

test('a field of the same number is replaced, or keeps its number', () => {
  const [source, target] = [fieldsNamed('door'), fieldsNamed('theirs')];
  const replaced = copyPlan(source, target, [1], 'replace');
  expect([replaced.added, replaced.replaced]).toEqual([[], ['1 theirs']]);
  expect(evaluationOf(replaced.definitions, 1)?.Name).toBe('door');
  const added = copyPlan(source, target, [1], 'add');
  expect([added.added, added.replaced]).toEqual([['2 door'], []]);
  expect(added.definitions.evaluations.map(({ Name }) => Name)).toEqual(['theirs', 'door']);
});

test('a group is made where none is switched in the same way', () => {
  const activation = { Type: GroupActivation.TELEGRAM, Inputs: [], InitiallyActive: true };
  const source = withGroup(fieldsNamed('door'), 1, { Name: 'night', Activation: activation });
  const plan = copyPlan(source, fieldsNamed('theirs'), [1], 'add');
  expect(plan.newGroups).toBe(1);
  expect(groupsOf(plan.definitions, 2)).toMatchObject([{ Id: 2, Name: 'night', Activation: activation }]);
});

test('what finds no free number is left out, and said', () => {
  const full = fieldsNamed(...Array.from({ length: 48 }, (_, index) => `f${index}`));
  expect(copyPlan(fieldsNamed('door'), full, [1], 'add').left).toEqual(['1 door']);
});

test('more than 20 active fields are said of the releases that refuse them', () => {
  const many = fieldsNamed(...Array.from({ length: 21 }, (_, index) => `f${index}`));
  expect(tooManyActive(many, '2.4.4')).toMatch(/21 fields/);
  expect(tooManyActive(many, '1.5.0')).toBeUndefined();
  expect(tooManyActive(withEvaluation(many, 1, { Points: [] }), '2.4.4')).toBeUndefined();
});

test('the smallest object grows where so many beams are further apart than it is large', () => {
  const degrees = degreesBetweenBeams(1) ?? 0;
  expect(degrees).toBe(0.5);
  expect(degreesBetweenBeams('none')).toBeUndefined();
  expect(reachOfField({ Points: [{ x: 3000, y: 4000 }] })).toBe(5);
  const flat = smallestObjects({ MinimumObjectSize: 200, InfringementThreshold: 1 }, 5, degrees);
  expect(flat).toEqual([
    { x: 0, y: 200 },
    { x: 5, y: 200 },
  ]);
  const [, bend, far] = smallestObjects({ MinimumObjectSize: 200, InfringementThreshold: 10 }, 5, degrees);
  expect(bend?.x).toBeCloseTo(2.29, 2);
  expect(far?.y).toBeCloseTo(436.3, 1);
});
