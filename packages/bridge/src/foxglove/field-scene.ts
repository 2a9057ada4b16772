import { evaluationSlots, FieldState, isObject, mostCorners } from '@azimuth/model';
import earcut from 'earcut';

/** The outline of a field in the coordinates of the scanner. */
export interface FieldOutline {
  /** Number of its evaluation, from 1 on. */
  readonly id: number;
  readonly name: string;
  /** Corners in mm. */
  readonly points: readonly Point[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The result of an evaluation: its state, and where its field is infringed. */
export interface EvaluationResult {
  readonly state: number;
  /** mm. */
  readonly positions: readonly Point[];
}

/** Colours by the state of an evaluation: red, green, blue. */
const colours: Readonly<Record<number, readonly [number, number, number]>> = {
  [FieldState.INACTIVE]: [0.55, 0.55, 0.6],
  [FieldState.FREE]: [0.1, 0.75, 0.3],
  [FieldState.DETECTING_INFRINGED]: [0.95, 0.8, 0.1],
  [FieldState.INFRINGED]: [0.9, 0.15, 0.1],
  [FieldState.DETECTING_FREE]: [0.95, 0.5, 0.1],
};
const unknownColour = [0.6, 0.6, 0.6] as const;

const areaOpacity = 0.25;
/** Width of an outline, and diameter of the place of an infringement, in m. */
const lineWidth = 0.03;
const placeSize = 0.15;
/** `LINE_LOOP` of foxglove.LinePrimitive. */
const lineLoop = 2;

const noRotation = { x: 0, y: 0, z: 0, w: 1 };
const pose = (x = 0, y = 0, z = 0) => ({ position: { x, y, z }, orientation: noRotation });

export interface SceneFacts {
  readonly frameId: string;
  /** µs since 1970. */
  readonly stamp: number;
  readonly outlines: readonly FieldOutline[];
  /** By the number of the evaluation; without its result, a field is grey. */
  readonly results: ReadonlyMap<number, EvaluationResult>;
  /** Numbers of the evaluations that are in the scene so far, and are not there any more. */
  readonly removed: readonly number[];
}

/** Returns the fields as foxglove.SceneUpdate: area, outline, name and infringements of each, in the colour of its state. */
export function fieldScene(facts: SceneFacts) {
  const timestamp = stampOf(facts.stamp);
  return {
    // Type 0 removes the entity of this id.
    deletions: facts.removed.map((id) => ({ timestamp, type: 0, id: entityId(id) })),
    entities: facts.outlines.map((outline) => fieldEntity(outline, facts)),
  };
}

function fieldEntity({ id, name, points }: FieldOutline, { frameId, stamp, results }: SceneFacts) {
  const result = results.get(id);
  const [r, g, b] = colours[result?.state ?? -1] ?? unknownColour;
  const corners = points.map(({ x, y }) => ({ x: x / 1000, y: y / 1000, z: 0 }));
  const indices = earcut(corners.flatMap(({ x, y }) => [x, y]));
  const line = { a: 1, r, g, b };
  const [first = { x: 0, y: 0 }] = corners;
  return {
    timestamp: stampOf(stamp),
    frame_id: frameId,
    id: entityId(id),
    lifetime: { sec: 0, nsec: 0 },
    frame_locked: true,
    metadata: [
      { key: 'evaluation', value: String(id) },
      { key: 'state', value: stateName(result?.state) },
    ],
    arrows: [],
    cubes: [],
    spheres: (result?.positions ?? []).map(({ x, y }) => ({
      pose: pose(x / 1000, y / 1000),
      size: { x: placeSize, y: placeSize, z: placeSize },
      color: line,
    })),
    cylinders: [],
    lines:
      corners.length < 2
        ? []
        : [
            {
              type: lineLoop,
              pose: pose(),
              thickness: lineWidth,
              scale_invariant: false,
              points: corners,
              color: line,
              colors: [],
              indices: [],
            },
          ],
    triangles:
      indices.length === 0
        ? []
        : [{ pose: pose(), points: corners, color: { r, g, b, a: areaOpacity }, colors: [], indices }],
    texts: [
      {
        pose: pose(first.x, first.y, 0.1),
        billboard: true,
        font_size: 14,
        scale_invariant: true,
        color: { r: 1, g: 1, b: 1, a: 1 },
        text: name === '' ? `field ${id}` : name,
      },
    ],
    models: [],
  };
}

function entityId(id: number): string {
  return `field ${id}`;
}

function stateName(state: number | undefined): string {
  return Object.entries(FieldState).find(([, value]) => value === state)?.[0] ?? 'unknown';
}

/** Returns a time as Foxglove writes it in JSON. @param stamp µs since 1970 */
export function stampOf(stamp: number): { readonly sec: number; readonly nsec: number } {
  const sec = Math.floor(stamp / 1_000_000);
  return { sec, nsec: Math.round(stamp - sec * 1_000_000) * 1000 };
}

/** Reads FieldEvaluationResult, by the number of the evaluation; what is not of its form is left out. */
export function evaluationResults(json: unknown): ReadonlyMap<number, EvaluationResult> {
  const list = isObject(json) && Array.isArray(json.EvaluationResultList) ? json.EvaluationResultList : [];
  const results = new Map<number, EvaluationResult>();
  for (const [index, item] of list.slice(0, evaluationSlots).entries()) {
    if (!isObject(item) || typeof item.State !== 'number') continue;
    if (item.State === FieldState.NOT_CONFIGURED) continue;
    results.set(index + 1, { state: item.State, positions: pointsIn(item.Positions) });
  }
  return results;
}

/** Reads a list of points in mm; what is not a point, or more than a scanner has, is left out. */
export function pointsIn(json: unknown): readonly Point[] {
  const points: unknown[] = Array.isArray(json) ? json : [];
  return points
    .slice(0, mostCorners)
    .flatMap((point) =>
      isObject(point) && typeof point.x === 'number' && typeof point.y === 'number'
        ? [{ x: point.x, y: point.y }]
        : [],
    );
}
