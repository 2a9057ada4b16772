import { extensions, type FieldDefinitions } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { areaAt } from '../../src/fields/contour.js';
import {
  draftChanges,
  freeId,
  groupsOf,
  subjectOf,
  withCopy,
  withEvaluation,
  withMembership,
  withNewEvaluation,
  withNewGroup,
  withoutEvaluation,
  withoutGroup,
} from '../../src/fields/draft.js';

const { fields } = extensions.members;
const square = [
  { x: 0, y: 0 },
  { x: 1000, y: 0 },
  { x: 1000, y: 1000 },
];
const line = [
  { x: 0, y: 0 },
  { x: 9, y: 0 },
];

/** Fields 1 and 3 in group 1, which is always active, and field 3 in group 4, which is switched by telegram. */
const definitions = fields.valueFrom({
  evaluations: [
    { Id: 1, Name: 'door', Points: square },
    { Id: 3, Points: square },
  ],
  groups: [
    { Id: 1, Name: 'all', Evaluations: [1, 3] },
    { Id: 4, Evaluations: [3], Activation: { Type: 3 } },
  ],
});

function known(result: { readonly definitions: FieldDefinitions; readonly id: number } | undefined) {
  if (result === undefined) throw new Error('nothing was added');
  // Every draft of these edits is one that a scanner takes.
  fields.valueFrom(result.definitions);
  return result;
}

describe('a new evaluation', () => {
  test('has the lowest free number, and joins a group that is always active', () => {
    const { id, definitions: draft } = known(withNewEvaluation(definitions, { Points: square }));
    expect(id).toBe(2);
    expect(draft.evaluations.map(({ Id }) => Id)).toEqual([1, 2, 3]);
    expect(draft.evaluations[1]).toMatchObject({ Name: 'field 2', MinimumObjectSize: 200, Points: square });
    expect(groupsOf(draft, 2).map(({ Id }) => Id)).toEqual([1]);
  });

  test('gets a group of its own if none fits its type', () => {
    const { id, definitions: draft } = known(
      withNewEvaluation(definitions, { Points: square, Type: 1, ReferenceLine: line }),
    );
    expect(groupsOf(draft, id)).toMatchObject([{ Id: 2, Evaluations: [2], Activation: { Type: 1 } }]);
  });

  test('is not made if all numbers are taken', () => {
    const evaluations = Array.from({ length: 48 }, (_, index) => ({ Id: index + 1 }));
    const full = fields.valueFrom({ evaluations, groups: [] });
    expect(freeId(full.evaluations)).toBeUndefined();
    expect(withNewEvaluation(full, {})).toBeUndefined();
    expect(withCopy(full, 1)).toBeUndefined();
  });
});

test('a copy lies beside the original, is in its groups, and has a name of at most 20 characters', () => {
  const named = withEvaluation(definitions, 3, { Name: 'a name of 20 charact' });
  const { id, definitions: draft } = known(withCopy(named, 3));
  expect(draft.evaluations.find(({ Id }) => Id === id)).toMatchObject({
    Name: 'a name of 20 ch copy',
    Points: [
      { x: 100, y: 100 },
      { x: 1100, y: 100 },
      { x: 1100, y: 1100 },
    ],
  });
  expect(groupsOf(draft, id).map(({ Id }) => Id)).toEqual([1, 4]);
});

test('an evaluation that is deleted leaves its groups', () => {
  const draft = withoutEvaluation(definitions, 3);
  expect(draft.groups.map(({ Evaluations }) => Evaluations)).toEqual([[1], []]);
  fields.valueFrom(draft);
});

test('an evaluation that changes its type leaves the groups of the other type', () => {
  const draft = withEvaluation(definitions, 3, { Type: 1, ReferenceLine: line });
  fields.valueFrom(draft);
  expect(groupsOf(draft, 3).map(({ Id }) => Id)).toEqual([2]);
});

test('a group gets and loses members', () => {
  const { id, definitions: draft } = known(withNewGroup(definitions, {}));
  expect(id).toBe(2);
  const filled = withMembership(withMembership(draft, id, 3, true), id, 1, true);
  expect(filled.groups.find(({ Id }) => Id === id)?.Evaluations).toEqual([1, 3]);
  expect(withMembership(filled, id, 3, false).groups.find(({ Id }) => Id === id)?.Evaluations).toEqual([1]);
});

describe('the list of changes', () => {
  test('is empty for the same definitions', () => {
    expect(draftChanges(definitions, structuredClone(definitions))).toEqual([]);
  });

  test('names what is new, what changes in which members, and what goes', () => {
    const changed = withEvaluation(definitions, 1, { Name: 'gate', MinimumObjectSize: 100 });
    const { definitions: grown } = known(withNewGroup(withoutEvaluation(changed, 3), { Name: 'new' }));
    expect(draftChanges(definitions, withoutGroup(grown, 4))).toEqual([
      { of: 'evaluation', id: 1, name: 'gate', kind: 'changed', members: ['Name', 'MinimumObjectSize'] },
      { of: 'evaluation', id: 3, name: '', kind: 'deleted', members: [] },
      { of: 'group', id: 1, name: 'all', kind: 'changed', members: ['Evaluations'] },
      { of: 'group', id: 2, name: 'new', kind: 'new', members: [] },
      { of: 'group', id: 4, name: '', kind: 'deleted', members: [] },
    ]);
  });
});

const squareOf = (size: number) => [
  { x: 0, y: 0 },
  { x: size, y: 0 },
  { x: size, y: size },
  { x: 0, y: size },
];
const squares = extensions.members.fields.type.fromJson(
  {
    evaluations: [
      { Id: 7, Points: squareOf(1000) },
      { Id: 9, Points: squareOf(500) },
      { Id: 11, Points: squareOf(2000) },
    ],
    groups: [{ Id: 4, Evaluations: [7] }],
  },
  'fields',
);

test('a fault is about the evaluation or the group that its place names, and a member of it', () => {
  expect(subjectOf(squares, 'fields.evaluations[1].Points')).toEqual({
    ...{ of: 'evaluation', id: 9, member: 'Points' },
  });
  expect(subjectOf(squares, 'fields.groups[0]')).toEqual({ of: 'group', id: 4, member: '' });
  expect(subjectOf(squares, 'fields.evaluations[3].Points')).toBeUndefined();
  expect(subjectOf(squares, 'fields')).toBeUndefined();
});

test('a press chooses the smallest area there, and the next larger one each time, around', () => {
  const inside = { x: 100, y: 100 };
  const at = (selected?: number) => areaAt(squares.evaluations, inside, selected)?.Id;
  expect([at(), at(9), at(7), at(11), at(99)]).toEqual([9, 7, 11, 9, 9]);
  expect(areaAt(squares.evaluations, { x: 1500, y: 100 }, 9)?.Id).toBe(11);
  expect(areaAt(squares.evaluations, { x: -5, y: 100 }, 9)).toBeUndefined();
});
