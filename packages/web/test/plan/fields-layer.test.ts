import { extensions, FieldState, fieldEvaluation } from '@azimuth/model';
import { signal } from '@preact/signals';
import { describe, expect, test } from 'vitest';
import { areasOf, areaTexts, fieldsLayer, isWatched } from '../../src/plan/field-areas.js';
import { inTheMiddle, placementOf } from '../../src/plan/placement.js';
import { recordedPen } from './recorded-canvas.js';

const { fields } = extensions.members;
const { FieldEvaluationResult } = fieldEvaluation.members;
const square = [
  { x: -500, y: -500 },
  { x: 500, y: -500 },
  { x: 500, y: 500 },
  { x: -500, y: 500 },
];

/** A scanner with one area, in this state. */
function link(State: number, Points = square) {
  const evaluations = [{ Id: 3, Name: 'dock', Points }];
  const none = { State: FieldState.NOT_CONFIGURED, Positions: [] };
  const own = { State, Positions: [{ x: 200, y: 100 }] };
  const EvaluationResultList = [none, none, own];
  const values: Readonly<Record<string, unknown>> = {
    fields: fields.type.fromJson({ evaluations, groups: [] }, 'fields'),
    FieldEvaluationResult: { ...FieldEvaluationResult.type.initial, EvaluationResultList },
  };
  return { value: (name: string) => values[name] };
}

function drawingOf(State: number, Points = square, placement = inTheMiddle) {
  const recorded = recordedPen();
  const sources = [{ link: link(State, Points), placement: signal(placement) }];
  fieldsLayer({ showsFields: signal(true), sources }).draw(recorded.pen);
  return recorded;
}

describe('the areas of a scanner', () => {
  test('have their names, states and the first object in them', () => {
    expect(areasOf(link(FieldState.INFRINGED))).toEqual([
      { id: 3, name: 'dock', points: square, state: FieldState.INFRINGED, object: { x: 200, y: 100 } },
    ]);
    expect(areasOf({ value: () => undefined })).toEqual([]);
  });

  test('are called by number and name, and by what happens in them', () => {
    expect(areaTexts(3, 'dock', true)).toEqual(['3 dock – infringed', '3 dock', '3']);
    expect(areaTexts(3, 'dock', false)).toEqual(['3 dock', '3']);
    expect(areaTexts(3, '', false)).toEqual(['3', '3']);
  });

  test('are watched unless they are inactive or not configured', () => {
    const watched = (State: number) => areasOf(link(State)).map(isWatched);
    expect([FieldState.FREE, FieldState.INFRINGED, FieldState.INACTIVE, 0].map(watched)).toEqual([
      [true],
      [true],
      [false],
      [false],
    ]);
  });
});

describe('an area', () => {
  test('is drawn where it is, closed, in the colour of its state', () => {
    const { of } = drawingOf(FieldState.FREE);
    expect(of('lineTo', 'closePath')).toEqual([
      ['lineTo', 250, 150],
      ['lineTo', 250, 50],
      ['lineTo', 150, 50],
      ['lineTo', 150, 150],
      ['closePath'],
    ]);
    expect(of('fillStyle =')[0]).toEqual(['fillStyle =', 'good']);
    expect(of('strokeStyle =')[0]).toEqual(['strokeStyle =', 'good']);
    expect(of('setLineDash', 'clip')).toEqual([]);
    expect(of('globalAlpha =').map(([, alpha]) => alpha)).toEqual([0.12, 1]);
    expect(of('fillText')).toEqual([['fillText', '3 dock', 200, 100]]);
  });

  test('is drawn beside its scanner, wherever that is on the plan', () => {
    // 1 m ahead, 2 m to the left, looking to the left: 100 pixels a metre.
    const placement = placementOf({ x: 1000, y: 2000, z: 0, yaw: 900_000, pitch: 0, roll: 0 });
    const { of } = drawingOf(FieldState.INFRINGED, square, placement);
    const corners = of('lineTo').slice(0, 4);
    expect(corners).toEqual(
      [
        ['lineTo', 50, -50],
        ['lineTo', -50, -50],
        ['lineTo', -50, 50],
        ['lineTo', 50, 50],
      ].map(([name, left, top]) => [name, expect.closeTo(Number(left), 6), expect.closeTo(Number(top), 6)]),
    );
  });

  test('that is not watched is dashed, fainter, and of no colour', () => {
    const { of } = drawingOf(FieldState.INACTIVE);
    expect(of('setLineDash')).toEqual([['setLineDash', [5, 4]]]);
    expect(of('fillStyle =')[0]).toEqual(['fillStyle =', 'soft']);
    expect(of('globalAlpha =')[0]).toEqual(['globalAlpha =', 0.06]);
  });

  test('that is infringed is hatched within its edge, and a cross marks the object', () => {
    const { of, done } = drawingOf(FieldState.INFRINGED);
    const clip = done.findIndex(([name]) => name === 'clip');
    const restore = done.findIndex(([name]) => name === 'restore');
    const hatching = done.slice(clip, restore).filter(([name]) => name === 'moveTo');
    // 600 pixels across, a line every 9.
    expect(hatching).toHaveLength(67);
    expect(hatching[0]).toEqual(['moveTo', -200, 200]);
    const cross = done.slice(restore).filter(([name]) => name === 'moveTo' || name === 'lineTo');
    expect(cross).toEqual([
      ['moveTo', 184, 74],
      ['lineTo', 196, 86],
      ['moveTo', 196, 74],
      ['lineTo', 184, 86],
    ]);
    expect(of('strokeStyle =').map(([, colour]) => colour)).toEqual(['bad', 'view', 'bad']);
  });

  test('without two corners is not drawn', () => {
    expect(drawingOf(FieldState.FREE, []).done).toEqual([]);
  });
});

test('the layer is shown if there is an area, and nobody has switched it off', () => {
  const showsFields = signal(true);
  const layer = (...links: readonly ReturnType<typeof link>[]) =>
    fieldsLayer({
      showsFields,
      sources: links.map((one) => ({ link: one, placement: signal(inTheMiddle) })),
    });
  const none = { value: () => undefined };
  expect([layer(link(1)).isShown?.(), layer(none).isShown?.()]).toEqual([true, false]);
  expect(layer(none, link(1)).isShown?.()).toBe(true);
  showsFields.value = false;
  expect(layer(link(1)).isShown?.()).toBe(false);
});
