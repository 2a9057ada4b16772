import type { Variable } from '@azimuth/model';
import { beforeEach, expect, test } from 'vitest';
import { Announcements } from '../../src/announcements.js';
import { Parameters } from '../../src/parameters/parameters.js';
import { Absent, Gain, parameterSet, refusal, Target, Threshold, Window } from './invented.js';

let announced: (readonly Variable<unknown>[])[];
let parameters: Parameters;

beforeEach(() => {
  announced = [];
  const announcements = new Announcements();
  parameters = new Parameters(announcements);
  parameters.boot(parameterSet, ({ type }) => type.initial, {}, fail);
  announcements.subscribe((changed) => announced.push(changed));
});

function fail(fault: Error): never {
  throw fault;
}

test('a change sets all its values and is announced once', () => {
  parameters.change((change) =>
    change.set(Gain, 7).set(Window, { From: 1, To: 2 }).set(Target, [10, 0, 0, 2]),
  );
  expect(parameters.layer('working')).toEqual({
    Gain: 7,
    Window: { From: 1, To: 2 },
    Target: [10, 0, 0, 2],
    Threshold: 200,
  });
  expect(announced).toEqual([[Gain, Window, Target]]);
});

test('a change touches the working layer only', () => {
  parameters.change((change) => change.set(Gain, 7));
  expect(parameters.stored(Gain)).toBe(5);
  expect(parameters.layer('factory').Gain).toBe(5);
});

test('what keeps its value is not announced, not even as a new array with the same items', () => {
  parameters.change((change) => change.set(Gain, 5).set(Target, [10, 0, 0, 1]).set(Threshold, 201));
  expect(announced).toEqual([[Threshold]]);
});

test('a change that changes nothing is not announced at all', () => {
  parameters.change((change) => change.set(Window, { From: -10, To: 10 }));
  parameters.change(() => {});
  expect(announced).toEqual([]);
});

test('a listener that refuses leaves everything as it was, and nothing is announced', () => {
  const before = parameters.layer('working');
  parameters.onChanging([Gain, Target], (change) => {
    if (change.read(Gain) > 50 && change.read(Target)[3] === 2) throw refusal();
  });
  const tooMuch = () => parameters.change((change) => change.set(Target, [10, 0, 0, 2]).set(Gain, 60));
  expect(tooMuch).toThrow(refusal());
  expect(parameters.layer('working')).toEqual(before);
  expect(announced).toEqual([]);
});

test('every listener is called before any value is set, and the last refusal counts, too', () => {
  const seen: number[] = [];
  parameters.onChanging([Gain], () => seen.push(parameters.read(Gain)));
  parameters.onChanging([Gain], (change) => {
    seen.push(change.read(Gain));
    throw refusal();
  });
  expect(() => parameters.change((change) => change.set(Gain, 8))).toThrow(refusal());
  expect(seen).toEqual([5, 8]);
  expect(parameters.read(Gain)).toBe(5);
});

test('a listener sees new values beside the present ones, and which are touched', () => {
  const touched: boolean[] = [];
  parameters.onChanging([Target, Gain], (change) => {
    touched.push(change.touches([Gain]), change.touches([Target]), change.touches([Target, Gain]));
    expect(change.read(Threshold)).toBe(200);
  });
  parameters.change((change) => change.set(Gain, 6));
  expect(touched).toEqual([true, false, true]);
});

test('a listener may set what follows from a change, in the same transaction', () => {
  parameters.onChanging([Gain], (change) => {
    change.set(Threshold, change.read(Gain) * 10);
  });
  parameters.change((change) => change.set(Gain, 9));
  expect(parameters.read(Threshold)).toBe(90);
  expect(announced).toEqual([[Gain, Threshold]]);
});

test('a listener is not called for a change of other parameters', () => {
  parameters.onChanging([Target], () => {
    throw refusal();
  });
  parameters.change((change) => change.set(Gain, 9));
  expect(parameters.read(Gain)).toBe(9);
});

test('a change that fails while it is put together leaves everything', () => {
  const failing = () =>
    parameters.change((change) => {
      change.set(Gain, 6);
      throw refusal();
    });
  expect(failing).toThrow(refusal());
  expect(parameters.read(Gain)).toBe(5);
});

test('a variable that is not a parameter of this scanner refuses the whole change', () => {
  expect(() => parameters.change((change) => change.set(Gain, 6).set(Absent, 1))).toThrow(TypeError);
  expect(parameters.read(Gain)).toBe(5);
  expect(announced).toEqual([]);
});

test('subscribers of a change find all of its values in place', () => {
  const announcements = new Announcements();
  const fresh = new Parameters(announcements);
  fresh.boot(parameterSet, ({ type }) => type.initial, {}, fail);
  const seen: unknown[] = [];
  announcements.subscribe(() => seen.push(fresh.read(Window), fresh.read(Gain)));
  fresh.change((change) => change.set(Window, { From: 3, To: 4 }).set(Gain, 1));
  expect(seen).toEqual([{ From: 3, To: 4 }, 1]);
});

test('a struct that was read does not change under its reader', () => {
  const before = parameters.read(Window);
  parameters.change((change) => change.set(Window, { From: 1, To: 2 }));
  expect(before).toEqual({ From: -10, To: 10 });
  expect(parameters.read(Window)).toEqual({ From: 1, To: 2 });
});

test('who has unsubscribed hears nothing more', () => {
  const announcements = new Announcements();
  const heard: unknown[] = [];
  const stop = announcements.subscribe((changed) => heard.push(changed));
  announcements.changed([Gain]);
  stop();
  announcements.changed([Gain]);
  expect(heard).toEqual([[Gain]]);
});

test('a variable that is not a parameter of this scanner cannot be read as one', () => {
  expect(parameters.has(Absent)).toBe(false);
  expect(() => parameters.read(Absent)).toThrow('Absent is not a parameter of this scanner');
});
