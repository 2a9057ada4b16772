import {
  extensions,
  integer,
  measurementDataOutput,
  type Refusal,
  type Variable,
  variable,
} from '@azimuth/model';
import { beforeEach, expect, test } from 'vitest';
import { Announcements } from '../../src/announcements.js';
import { Parameters, type ValueSet } from '../../src/parameters/parameters.js';
import { Absent, Gain, parameterSet, Target, Threshold, Window } from './invented.js';

let announced: (readonly Variable<unknown>[])[];
let refused: Refusal[];
let parameters: Parameters;

beforeEach(() => {
  announced = [];
  const announcements = new Announcements();
  announcements.subscribe((changed) => announced.push(changed));
  parameters = new Parameters(announcements);
});

function boot(stored: ValueSet, variables: readonly Variable<unknown>[] = parameterSet) {
  refused = [];
  parameters.boot(
    variables,
    ({ type }) => type.initial,
    stored,
    (fault) => refused.push(fault),
  );
}

test('the first boot announces every parameter', () => {
  boot({});
  expect(announced).toEqual([parameterSet]);
});

test('what is stored comes back, stored and working', () => {
  boot({ Gain: 50, Window: { From: 1, To: 2 } });
  expect(parameters.layer('working')).toEqual({
    Gain: 50,
    Window: { From: 1, To: 2 },
    Target: [10, 0, 0, 1],
    Threshold: 200,
  });
  expect(parameters.layer('stored')).toEqual(parameters.layer('working'));
  expect(parameters.layer('factory').Gain).toBe(5);
});

test('a boot forgets working values and announces those that differ from before', () => {
  boot({ Gain: 50 });
  parameters.change((change) => change.set(Gain, 60).set(Threshold, 1).set(Target, [10, 0, 0, 1]));
  announced = [];
  boot({ Gain: 50 });
  expect(parameters.read(Gain)).toBe(50);
  expect(parameters.read(Threshold)).toBe(200);
  expect(announced).toEqual([[Gain, Threshold]]);
});

test('a boot that finds everything as it was announces nothing', () => {
  boot({ Window: { From: 1, To: 2 } });
  announced = [];
  boot({ Window: { From: 1, To: 2 } });
  expect(announced).toEqual([]);
});

test('a stored value that is not allowed gives way to factory state, and the others stay', () => {
  boot({ Gain: 101, Window: { From: 1 }, Target: '10.0.0.9', Threshold: 7 });
  expect(parameters.layer('working')).toEqual({
    Gain: 5,
    Window: { From: -10, To: 10 },
    Target: [10, 0, 0, 1],
    Threshold: 7,
  });
  expect(parameters.layer('stored')).toEqual(parameters.layer('working'));
  expect(refused.map(({ status, at }) => [status, at])).toEqual([
    ['outOfRange', 'Gain'],
    ['parsingFailed', 'Window.To'],
    ['invalidData', 'Target'],
  ]);
});

test('fields that were stored when heights had limits stay, without the limits', () => {
  const { fields } = extensions.members;
  const Points = [
    { x: 0, y: 0 },
    { x: 3000, y: 0 },
    { x: 3000, y: 2000 },
  ];
  const evaluations = [
    { Id: 1, Name: 'Gate', Points, LowerZLimit: -500, UpperZLimit: 2000 },
    { Id: 2, Points, LowerZLimit: -100_000, UpperZLimit: 100_000 },
  ];
  boot({ fields: { evaluations, groups: [{ Id: 1, Evaluations: [1, 2] }] } }, [fields]);
  expect(refused).toEqual([]);
  expect(parameters.read(fields)).toMatchObject({
    evaluations: [
      { Id: 1, Name: 'Gate', Points, LowerZLimit: 0, UpperZLimit: 0 },
      { Id: 2, Points, LowerZLimit: 0, UpperZLimit: 0 },
    ],
    groups: [{ Id: 1, Evaluations: [1, 2] }],
  });
  expect(parameters.layer('stored')).toEqual(parameters.layer('working'));
});

test('a recording that was stored to be started by an input is started by calls', () => {
  const { ScanMergeTrigger } = measurementDataOutput.members;
  boot({ ScanMergeTrigger: 1 }, [ScanMergeTrigger]);
  expect(refused).toEqual([]);
  expect(parameters.read(ScanMergeTrigger)).toBe(0);
  boot({ ScanMergeTrigger: 2 }, [ScanMergeTrigger]);
  expect(refused.map(({ status }) => status)).toEqual(['illegalValue']);
});

test('a stored value whose name is not a parameter of this scanner is ignored', () => {
  boot({ Absent: 9, toString: 1, Gain: 6 });
  expect(refused).toEqual([]);
  expect(parameters.has(Absent)).toBe(false);
  expect(parameters.layer('stored').toString).not.toBe(1);
});

test('a parameter that a release lacks is gone after the boot into it, and announced when it is back', () => {
  boot({});
  boot({}, [Gain]);
  expect(parameters.has(Window)).toBe(false);
  expect(() => parameters.read(Window)).toThrow(TypeError);
  announced = [];
  boot({}, [Gain, Window]);
  expect(announced).toEqual([[Window]]);
});

test('a factory value that its own type refuses is found at the start', () => {
  const wrong = variable(integer('uint8', { maximum: 3, initial: 9 }), { write: 'Service', text: 'Wrong.' });
  expect(() => boot({}, [wrong])).toThrow('expected 0 to 3, got 9');
});

test('marking values as stored leaves the working layer alone', () => {
  boot({});
  parameters.change((change) => change.set(Gain, 60));
  parameters.markStored({ Gain: 50, Absent: 3 });
  expect(parameters.stored(Gain)).toBe(50);
  expect(parameters.read(Gain)).toBe(60);
});

test('putting some working values at factory state is one announcement of those that changed', () => {
  boot({});
  parameters.change((change) => change.set(Gain, 60).set(Threshold, 1).set(Target, [1, 1, 1, 1]));
  announced = [];
  parameters.resetWorking((one) => one !== Target);
  expect(parameters.layer('working')).toMatchObject({ Gain: 5, Threshold: 200, Target: [1, 1, 1, 1] });
  expect(announced).toEqual([[Gain, Threshold]]);
});
