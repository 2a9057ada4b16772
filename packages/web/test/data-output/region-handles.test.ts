import { dataReduction, regionOfInterest } from '@azimuth/model';
import { expect, test } from 'vitest';
import {
  dragged,
  handlesOf,
  handleText,
  lengthStepFor,
  type RegionHandle,
  stepped,
} from '../../src/data-output/region-handles.js';
import { pointAt, type Regions } from '../../src/data-output/regions.js';

const none: Regions = { rectangle: undefined, distance: undefined, angle: undefined };
const rectangle = {
  ...regionOfInterest.members.LFPcubicareafilter.type.initial,
  bEnable: true,
  lXMin: 0,
  lXMax: 3000,
  lYMin: -1500,
  lYMax: 1500,
};
const distance = {
  ...regionOfInterest.members.LFPradialDistanceRangeFilter.type.initial,
  bEnable: true,
  ulDistMin: 500,
  ulDistMax: 4000,
};
const angle = { ...dataReduction.members.LFPangleRangeFilter.type.initial, bEnable: true };

function handle(regions: Partial<Regions>, name: string): RegionHandle {
  const found = handlesOf({ ...none, ...regions }, 1000).find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no handle ${name}`);
  return found;
}

const key = (name: string, shiftKey = false) => ({ key: name, shiftKey });

test('a filter that is off has no handles', () => {
  expect(handlesOf(none, 1000)).toEqual([]);
});

test('each handle is at its place, and says its values', () => {
  expect(handle({ rectangle }, 'Front side').at).toEqual({ x: 3000, y: 0 });
  expect(handle({ rectangle }, 'Back right corner').at).toEqual({ x: 0, y: -1500 });
  expect(handle({ distance }, 'Longest distance').at).toEqual({ x: 4000, y: 0 });
  expect(handleText(handle({ rectangle }, 'Front left corner'))).toBe(
    'Front left corner, x 3000 mm, y 1500 mm',
  );
  expect(handleText(handle({ angle }, 'First angle'))).toBe('First angle, -90°');
});

test('a side moves alone, a corner moves both of its sides, and lengths snap to the step', () => {
  const to = { x: 2512, y: 803 };
  expect(dragged(handle({ rectangle }, 'Front side'), to, 10)).toEqual({ ...rectangle, lXMax: 2510 });
  expect(dragged(handle({ rectangle }, 'Front left corner'), to, 50)).toEqual({
    ...rectangle,
    lXMax: 2500,
    lYMax: 800,
  });
  expect(dragged(handle({ distance }, 'Longest distance'), { x: 300, y: 400 }, 10)).toEqual({
    ...distance,
    ulDistMax: 500,
  });
});

test('a drag ends at the other side, and at the limits of the scanner', () => {
  expect(dragged(handle({ rectangle }, 'Front side'), { x: -900, y: 0 }, 10)).toMatchObject({ lXMax: 0 });
  expect(dragged(handle({ distance }, 'Shortest distance'), { x: 9000, y: 0 }, 10)).toMatchObject({
    ulDistMin: 4000,
  });
  expect(dragged(handle({ rectangle }, 'Front side'), { x: 900_000, y: 0 }, 10)).toMatchObject({
    lXMax: 200_000,
  });
});

test('an angle snaps to half degrees', () => {
  expect(dragged(handle({ angle }, 'Last angle'), pointAt(451_300, 2000), 10)).toMatchObject({
    fThetaStop: 450_000,
  });
});

test.each([
  ['Last angle', 1_790_000, { fThetaStop: 1_380_000 }],
  ['Last angle', -1_790_000, { fThetaStop: 1_380_000 }],
  ['First angle', -1_790_000, { fThetaStart: -1_380_000 }],
  ['First angle', 1_790_000, { fThetaStart: -1_380_000 }],
])(
  '%s that is dragged behind the scanner, to %d, stays at the end of the field of view',
  (name, direction, expected) => {
    const wide = { ...angle, fThetaStart: -1_200_000, fThetaStop: 1_200_000 };
    expect(dragged(handle({ angle: wide }, name), pointAt(direction, 2000), 10)).toMatchObject(expected);
  },
);

test('arrow keys move by 10 mm or 1°, with shift by 100 mm or 10°', () => {
  expect(stepped(handle({ rectangle }, 'Front side'), key('ArrowUp'))).toMatchObject({ lXMax: 3010 });
  expect(stepped(handle({ rectangle }, 'Left side'), key('ArrowLeft', true))).toMatchObject({ lYMax: 1600 });
  expect(stepped(handle({ distance }, 'Longest distance'), key('ArrowRight'))).toMatchObject({
    ulDistMax: 4010,
  });
  expect(stepped(handle({ distance }, 'Longest distance'), key('ArrowDown'))).toMatchObject({
    ulDistMax: 3990,
  });
  expect(stepped(handle({ angle }, 'Last angle'), key('ArrowRight'))).toMatchObject({ fThetaStop: 890_000 });
  expect(stepped(handle({ angle }, 'First angle'), key('ArrowLeft', true))).toMatchObject({
    fThetaStart: -800_000,
  });
  expect(stepped(handle({ angle }, 'First angle'), key('a'))).toBeUndefined();
});

test('the step of a drag is one that a pointer can hit', () => {
  expect([0.5, 10, 12, 400, 4000].map(lengthStepFor)).toEqual([10, 10, 20, 500, 1000]);
});
