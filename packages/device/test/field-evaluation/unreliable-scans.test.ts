import { FieldState } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { evaluation, FieldTestDevice, group } from './field-test-device.js';
import { arc, halfTurn, ScriptedCore } from './scripted-core.js';

const { INACTIVE, FREE, DETECTING_INFRINGED, INFRINGED } = FieldState;
const thing = arc(-5, 5, 2000);
const line = [
  { x: 500, y: 0 },
  { x: 500, y: 1000 },
];

/** A core that can be paused: it turns, but passes no scans. */
class HeldCore extends ScriptedCore {
  held = false;
  broken = false;

  override start(...[order, measured]: Parameters<ScriptedCore['start']>): void {
    if (this.broken) throw new Error('no laser');
    super.start(order, (scan) => {
      if (!this.held) measured(scan);
    });
  }
}

function guarded(core = new HeldCore()) {
  const testDevice = new FieldTestDevice({ core });
  const states: [number, number][] = [];
  testDevice.announcements.subscribe(() => {
    const state = testDevice.fields.stateOf(1);
    if (state !== states.at(-1)?.[1]) states.push([testDevice.now, state]);
  });
  testDevice.define(
    [evaluation({ Id: 1 }), evaluation({ Id: 2, Type: 1, ReferenceLine: line })],
    [group(1, [1]), group(2, [2])],
  );
  return { testDevice, states, core };
}

describe('without a scan for three turns', () => {
  test('fields are inactive until one comes, and then begin anew', () => {
    const { testDevice, states, core } = guarded();
    core.sight = thing;
    testDevice.until(460);
    core.held = true;
    testDevice.until(699);
    expect(testDevice.fields.distances.result.evaluations).toHaveLength(1);
    expect(testDevice.fields.infringed(1)).toBe(true);
    testDevice.until(701);
    expect(testDevice.fields.distances.result.evaluations).toEqual([]);
    expect(testDevice.fields.infringed(1)).toBe(false);
    expect(testDevice.fields.result.EvaluationResultList[0]).toEqual({ State: INACTIVE, Positions: [] });
    testDevice.until(5010);
    core.held = false;
    testDevice.until(5200);
    expect(states).toEqual([
      [0, FREE],
      [50, DETECTING_INFRINGED],
      [100, INFRINGED],
      // The last scan was passed at 400.
      [700, INACTIVE],
      [5150, FREE],
      [5150, DETECTING_INFRINGED],
      [5200, INFRINGED],
    ]);
    expect(testDevice.fields.distances.result.evaluations).toHaveLength(1);
    // Repeats the steps.
    core.held = true;
    testDevice.until(6300);
    expect(states.at(-1)).toEqual([5500, INACTIVE]);
    expect(testDevice.log.errors).toEqual([
      {
        severity: 'error',
        message: 'The measuring core is silent',
        facts: { reason: 'no scan for 3 revolutions (300 ms)' },
      },
    ]);
  });

  test('also if no scan has come at all', () => {
    const core = new HeldCore();
    core.held = true;
    const { testDevice, states } = guarded(core);
    testDevice.until(20_000);
    expect(states).toEqual([
      [0, FREE],
      // The first turn after the beginning, and three more.
      [366.667, INACTIVE],
    ]);
  });

  test('slow turns have as many turns of time', () => {
    const core = new HeldCore();
    // 4 s a turn, the last beam of a half turn after 2 s.
    core.geometry = { ...halfTurn, frequency: 0.25 };
    const { testDevice, states } = guarded(core);
    testDevice.until(19_000);
    expect(states).toEqual([[0, FREE]]);
    core.held = true;
    testDevice.until(100_000);
    expect(states.slice(1)).toEqual([[28_000, INACTIVE]]);
  });

  test('nothing is awaited while nothing is measured, or no evaluation is active', () => {
    const { testDevice, states } = guarded();
    testDevice.until(500);
    testDevice.measuring.request('stopped');
    testDevice.until(10_000);
    testDevice.measuring.request('measuring');
    testDevice.until(10_500);
    expect(states).toEqual([
      [0, FREE],
      [500, INACTIVE],
      [10_000, FREE],
    ]);
    testDevice.define([evaluation({ Id: 1 })], []);
    testDevice.until(20_000);
    testDevice.define([evaluation({ Id: 1 })], [group(1, [1])]);
    testDevice.until(20_500);
    expect(states.slice(3)).toEqual([
      [10_500, INACTIVE],
      [20_000, FREE],
    ]);
  });

  test('a time in which nothing is to be measured does not count, and no timer runs in it', () => {
    const { testDevice, states, core } = guarded();
    core.sight = thing;
    testDevice.until(510);
    const { clock } = testDevice;
    let calls = 0;
    const after = clock.after.bind(clock);
    clock.after = (milliseconds, callback) => {
      calls += 1;
      return after(milliseconds, callback);
    };
    testDevice.measuring.pause();
    testDevice.until(86_400_000);
    expect(calls).toBe(0);
    core.held = true;
    testDevice.measuring.resume();
    testDevice.until(86_400_300);
    expect(testDevice.fields.stateOf(1)).toBe(INFRINGED);
    testDevice.until(86_401_100);
    expect(states.slice(2)).toEqual([
      [100, INFRINGED],
      [86_400_400, INACTIVE],
    ]);
  });

  test('no timer runs while they are missing', () => {
    const { testDevice } = guarded();
    testDevice.until(500);
    testDevice.core.stop();
    testDevice.until(2000);
    expect(testDevice.fields.stateOf(1)).toBe(INACTIVE);
    let calls = 0;
    const { clock } = testDevice;
    clock.after = () => {
      calls += 1;
      return () => undefined;
    };
    testDevice.until(86_400_000);
    expect(calls).toBe(0);
  });
});

describe('while the measuring core fails', () => {
  test('fields are inactive at once, until it hands over a scan', () => {
    const { testDevice, states, core } = guarded();
    core.sight = thing;
    testDevice.until(190);
    core.broken = true;
    testDevice.switchProfile(4);
    expect(states.at(-1)).toEqual([190, INACTIVE]);
    expect(testDevice.measuring.state).toBe('measuring');
    testDevice.until(2000);
    core.broken = false;
    testDevice.switchProfile(5);
    testDevice.until(3000);
    expect(states.map(([, state]) => state)).toEqual([
      FREE,
      DETECTING_INFRINGED,
      INFRINGED,
      INACTIVE,
      FREE,
      DETECTING_INFRINGED,
      INFRINGED,
    ]);
    expect(testDevice.log.errors).toHaveLength(1);
  });

  test('from the start, and looks once when it works', () => {
    const core = new HeldCore();
    core.broken = true;
    const { testDevice, states } = guarded(core);
    expect(testDevice.fields.stateOf(1)).toBe(INACTIVE);
    testDevice.until(5000);
    expect(states.map(([, state]) => state)).not.toContain(DETECTING_INFRINGED);
    core.broken = false;
    testDevice.switchProfile(4);
    testDevice.until(6000);
    expect(testDevice.fields.stateOf(1)).toBe(FREE);
    // Removes the only listener: with a second one the core would go on.
    testDevice.define([], []);
    const { computed } = core;
    testDevice.until(8000);
    expect(core.computed).toBe(computed);
  });

  test('also if DeviceStatus shows an error for another reason', () => {
    const { testDevice, core } = guarded();
    testDevice.until(190);
    testDevice.conditions.set('DS_RecoverableError', 'another reason', true);
    expect(testDevice.fields.stateOf(1)).toBe(FREE);
    core.broken = true;
    testDevice.switchProfile(4);
    testDevice.until(1300);
    expect(testDevice.fields.stateOf(1)).toBe(INACTIVE);
  });
});
