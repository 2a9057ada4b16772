import { FieldState } from '@azimuth/model';
import { SceneUpdate } from '@foxglove/schemas/jsonschema.js';
import { describe, expect, it } from 'vitest';
import { evaluationResults, fieldScene, pointsIn } from '../../src/foxglove/field-scene.js';
import { outlinesIn } from '../../src/foxglove/scanner-fields.js';

/** An L: its area cannot be drawn from one corner. */
const corner = [
  [0, 0],
  [2000, 0],
  [2000, 1000],
  [1000, 1000],
  [1000, 2000],
  [0, 2000],
].map(([x = 0, y = 0]) => ({ x, y }));

const json = {
  EvaluationResultList: [
    { State: FieldState.NOT_CONFIGURED, Positions: [] },
    { State: FieldState.INFRINGED, Positions: [{ x: 500, y: 700 }] },
    { State: 'broken' },
    null,
  ],
};

describe('the scene of the fields', () => {
  const scene = fieldScene({
    frameId: 'hall',
    stamp: 1_700_000_000_123_456,
    outlines: [{ id: 2, name: 'gate', points: corner }],
    results: evaluationResults(json),
    removed: [7],
  });
  const [entity] = scene.entities;

  it('has the area and the outline in the colour of the state, and the place of the infringement', () => {
    const [area] = entity?.triangles ?? [];
    const covered = trianglesArea(area?.points ?? [], area?.indices ?? []);
    expect(covered).toBeCloseTo(3, 9);
    expect(entity?.lines[0]).toMatchObject({ type: 2, color: { r: 0.9, g: 0.15, b: 0.1, a: 1 } });
    expect(entity?.spheres[0]?.pose.position).toEqual({ x: 0.5, y: 0.7, z: 0 });
    expect(entity?.metadata).toContainEqual({ key: 'state', value: 'INFRINGED' });
    expect(scene.deletions).toEqual([
      { timestamp: { sec: 1_700_000_000, nsec: 123_456_000 }, type: 0, id: 'field 7' },
    ]);
  });

  it('has exactly the members that the published schema names', () => {
    const properties = SceneUpdate.properties.entities.items.properties;
    expect(Object.keys(entity ?? {}).sort()).toEqual(Object.keys(properties).sort());
    expect(Object.keys(entity?.triangles[0] ?? {}).sort()).toEqual(
      Object.keys(properties.triangles.items.properties).sort(),
    );
    expect(Object.keys(entity?.lines[0] ?? {}).sort()).toEqual(
      Object.keys(properties.lines.items.properties).sort(),
    );
    expect(Object.keys(entity?.texts[0] ?? {}).sort()).toEqual(
      Object.keys(properties.texts.items.properties).sort(),
    );
  });

  it('leaves out what is not of the form of the interface', () => {
    expect([...evaluationResults(json)]).toEqual([
      [2, { state: FieldState.INFRINGED, positions: [{ x: 500, y: 700 }] }],
    ]);
    expect(evaluationResults('nonsense').size).toBe(0);
    const endless = Array.from({ length: 100_000 }, () => ({ State: 2, Positions: [], x: 0, y: 0 }));
    expect([evaluationResults({ EvaluationResultList: endless }).size, pointsIn(endless).length]).toEqual([
      48, 100,
    ]);
    expect(outlinesIn({ evaluations: [{ Id: 1, Points: 'x' }, { Id: 'y' }, { Id: 3, Type: 1 }, 5] })).toEqual(
      [{ id: 1, name: '', points: [] }],
    );
  });

  it('draws a field without corners by its name only', () => {
    const outlines = [{ id: 1, name: '', points: [] }];
    const [empty] = fieldScene({ frameId: '', stamp: 0, outlines, results: new Map(), removed: [] }).entities;
    expect([empty?.lines, empty?.triangles, empty?.texts[0]?.text]).toEqual([[], [], 'field 1']);
  });
});

function trianglesArea(points: readonly { x: number; y: number }[], indices: readonly number[]): number {
  let area = 0;
  for (let at = 0; at < indices.length; at += 3) {
    const [a, b, c] = indices.slice(at, at + 3).map((index) => points[index]);
    if (a !== undefined && b !== undefined && c !== undefined)
      area += Math.abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;
  }
  return area;
}
