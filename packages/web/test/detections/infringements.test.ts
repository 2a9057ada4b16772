import { type Detection, FieldState } from '@azimuth/model';
import { expect, test } from 'vitest';
import { countsByField } from '../../src/detections/detection-table.js';
import { Infringements, spansOf } from '../../src/detections/infringements.js';

/** A change of the results, with the states of the fields 1, 2, … */
function results(number: number, at: number, ...states: readonly number[]) {
  const json = JSON.stringify({ EvaluationResultList: states.map((State) => ({ State })) });
  return { number, at, name: 'FieldEvaluationResult', json };
}

const { FREE, INFRINGED, DETECTING_FREE } = FieldState;

test('an infringement begins and ends with the states of its field', () => {
  const infringements = new Infringements();
  const changes = [
    results(1, 1000, FREE, FREE),
    results(2, 2000, FREE, INFRINGED),
    results(3, 2500, INFRINGED, DETECTING_FREE),
    results(4, 3000, INFRINGED, FREE),
  ];
  expect(infringements.take(changes)).toBe(true);
  expect(infringements.all).toEqual([
    { field: 2, from: 2000, to: 3000 },
    { field: 1, from: 2500, to: undefined },
  ]);
});

test('changes that were taken are not taken again', () => {
  const infringements = new Infringements();
  const first = [results(1, 1000, INFRINGED)];
  infringements.take(first);
  expect(infringements.take(first)).toBe(false);
  expect(infringements.take([...first, results(2, 1500, FREE)])).toBe(true);
  expect(infringements.all).toEqual([{ field: 1, from: 1000, to: 1500 }]);
});

test('what a scanner sends instead of results is left out', () => {
  const infringements = new Infringements();
  const name = 'FieldEvaluationResult';
  expect(infringements.take([{ number: 1, at: 0, name, json: '{"EvaluationResultList":"all"}' }])).toBe(
    false,
  );
  expect(infringements.take([{ number: 2, at: 0, name, json: '[null]' }])).toBe(false);
});

const detection = (EvaluationId: number, Timestamp: number): Detection => ({
  EvaluationId,
  Timestamp,
  Name: `field ${EvaluationId}`,
  Positions: [],
});

test('a detection has the end that was seen; without one, it is a moment', () => {
  const seen = [
    { field: 1, from: 10_040, to: 12_000 },
    { field: 2, from: 20_000, to: undefined },
  ];
  const history = [detection(1, 10_000), detection(1, 5000), detection(2, 20_000)];
  expect(spansOf(history, seen, 21_000)).toEqual([
    { field: 1, from: 10_000, to: 12_000 },
    { field: 1, from: 5000, to: 5000 },
    { field: 2, from: 20_000, to: 21_000 },
  ]);
});

test('the field with the most detections comes first', () => {
  const history = [detection(1, 0), detection(12, 1), detection(12, 2)];
  expect(countsByField(history).map(({ field, count }) => [field, count])).toEqual([
    [12, 2],
    [1, 1],
  ]);
});
