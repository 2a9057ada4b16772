import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { Outline, Places } from '../../src/simulation/control-port-data.js';
import { actorsLayer, sceneLayer } from '../../src/simulation/scene-layer.js';
import { recordedPen } from '../plan/recorded-canvas.js';

const corner: Outline = {
  points: [
    { x: 0, y: 0 },
    { x: 0.5, y: 0 },
    { x: 0.5, y: 1 },
  ],
  closed: false,
  kind: 'solid',
};

function simulation(outlines: readonly Outline[], places?: Places) {
  const actors = [
    { name: 'cart', outlines },
    { name: 'nowhere', outlines },
  ];
  const vehicles = [{ name: 'agv', outlines }];
  return { scene: signal({ outlines, actors, vehicles }), places: signal(places) };
}

const path = ['beginPath', 'moveTo', 'lineTo', 'closePath'];

test('what stands still is drawn line by line, closed if it is an area', () => {
  const { pen, of } = recordedPen();
  sceneLayer(simulation([corner, { ...corner, closed: true }])).draw(pen);
  const line = [['beginPath'], ['moveTo', 200, 100], ['lineTo', 200, 50], ['lineTo', 100, 50]];
  expect(of(...path)).toEqual([...line, ...line, ['closePath']]);
  expect(of('strokeStyle =', 'stroke', 'fill')).toEqual([
    ['strokeStyle =', 'soft'],
    ['stroke'],
    ['strokeStyle =', 'soft'],
    ['stroke'],
  ]);
});

test('fog is a tinted area with a dashed edge, and what comes behind is solid again', () => {
  const { pen, of } = recordedPen();
  sceneLayer(simulation([{ ...corner, kind: 'fog' }, corner])).draw(pen);
  expect(of('globalAlpha =', 'fill', 'setLineDash', 'stroke')).toEqual([
    ['globalAlpha =', 0.2],
    ['fill'],
    ['globalAlpha =', 1],
    ['setLineDash', [4, 4]],
    ['stroke'],
    ['setLineDash', []],
    ['stroke'],
    ['setLineDash', []],
  ]);
});

test('actors are drawn where they are and how they are turned, and the scanner as an arrow', () => {
  const { pen, of } = recordedPen();
  const places = {
    scanner: { x: -0.5, y: 1, heading: 90 },
    actors: new Map([['cart', { x: 0.2, y: -1, heading: 90 }]]),
    vehicles: new Map<string, { x: number; y: number; heading: number }>(),
  };
  actorsLayer(simulation([corner], places)).draw(pen);
  expect(of(...path).slice(0, 4)).toEqual([
    ['beginPath'],
    ['moveTo', 300, 80],
    ['lineTo', 250, 80],
    ['lineTo', 250, 180],
  ]);
  expect(of('translate', 'rotate')).toEqual([
    ['translate', 100, 150],
    ['rotate', -1.57],
  ]);
  expect(of('stroke')).toHaveLength(1);
  expect(of('fillStyle =')).toEqual([['fillStyle =', 'ink']]);
});

test('without places, neither actors nor the scanner are drawn', () => {
  const { pen, done } = recordedPen();
  actorsLayer(simulation([corner])).draw(pen);
  expect(done).toEqual([]);
});

test('vehicles are drawn where they are', () => {
  const { pen, of } = recordedPen();
  const vehicles = new Map([['agv', { x: 0.2, y: -1, heading: 90 }]]);
  actorsLayer(
    simulation([corner], { scanner: { x: 0, y: 0, heading: 0 }, actors: new Map(), vehicles }),
  ).draw(pen);
  expect(of(...path).slice(0, 2)).toEqual([['beginPath'], ['moveTo', 300, 80]]);
  expect(of('strokeStyle =')).toEqual([['strokeStyle =', 'ink']]);
});
