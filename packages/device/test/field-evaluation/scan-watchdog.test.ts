import { FieldState } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { evaluation, FieldBench, group } from './field-bench.js';
import { arc, halfTurn, ScriptedCore } from './scripted-core.js';

const { INACTIVE, FREE, DETECTING_INFRINGED, INFRINGED } = FieldState;
const thing = arc(-5, 5, 2000);
const line = [
  { x: 500, y: 0 },
  { x: 500, y: 1000 },
];

/** A core that can be held: it turns, and hands nothing over. */
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
  const bench = new FieldBench({ core });
  const states: [number, number][] = [];
  bench.announcements.subscribe(() => {
    const state = bench.fields.stateOf(1);
    if (state !== states.at(-1)?.[1]) states.push([bench.now, state]);
  });
  bench.define(
    [evaluation({ Id: 1 }), evaluation({ Id: 2, Type: 1, ReferenceLine: line })],
    [group(1, [1]), group(2, [2])],
  );
  return { bench, states, core };
}

describe('without a scan for ten turns, at least for a second', () => {
  test('fields are inactive until one comes, and then begin anew', () => {
    const { bench, states, core } = guarded();
    core.sight = thing;
    bench.until(460);
    core.held = true;
    bench.until(1449);
    expect(bench.fields.distances.result.evaluations).toHaveLength(1);
    expect(bench.fields.infringed(1)).toBe(true);
    bench.until(1451);
    expect(bench.fields.distances.result.evaluations).toEqual([]);
    expect(bench.fields.infringed(1)).toBe(false);
    expect(bench.fields.result.EvaluationResultList[0]).toEqual({ State: INACTIVE, Positions: [] });
    bench.until(5010);
    core.held = false;
    bench.until(5200);
    expect(states).toEqual([
      [0, FREE],
      [50, DETECTING_INFRINGED],
      [100, INFRINGED],
      [1450, INACTIVE],
      [5150, FREE],
      [5150, DETECTING_INFRINGED],
      [5200, INFRINGED],
    ]);
    expect(bench.fields.distances.result.evaluations).toHaveLength(1);
    // And once more.
    core.held = true;
    // The turn that began at 5200 was seen: its last beam is of 5250.
    bench.until(6300);
    expect(states.at(-1)).toEqual([6250, INACTIVE]);
  });

  test('also where none has come at all', () => {
    const core = new HeldCore();
    core.held = true;
    const { bench, states } = guarded(core);
    bench.until(20_000);
    expect(states).toEqual([
      [0, FREE],
      [1000, INACTIVE],
    ]);
  });

  test('slow turns have as many turns of time', () => {
    const core = new HeldCore();
    // 4 s a turn, the last beam of a half turn after 2 s.
    core.geometry = { ...halfTurn, frequency: 0.25 };
    const { bench, states } = guarded(core);
    bench.until(19_000);
    expect(states).toEqual([
      [0, FREE],
      [1000, INACTIVE],
      [2000, FREE],
    ]);
    core.held = true;
    bench.until(100_000);
    expect(states.slice(3)).toEqual([[58_000, INACTIVE]]);
  });

  test('nothing is awaited while nothing is measured, or no evaluation is active', () => {
    const { bench, states } = guarded();
    bench.until(500);
    bench.measuring.request('stopped');
    bench.until(10_000);
    bench.measuring.request('measuring');
    bench.until(10_500);
    expect(states).toEqual([
      [0, FREE],
      [500, INACTIVE],
      [10_000, FREE],
    ]);
    bench.define([evaluation({ Id: 1 })], []);
    bench.until(20_000);
    bench.define([evaluation({ Id: 1 })], [group(1, [1])]);
    bench.until(20_500);
    expect(states.slice(3)).toEqual([
      [10_500, INACTIVE],
      [20_000, FREE],
    ]);
  });

  test('a time in which nothing is to be measured does not count, and no timer runs in it', () => {
    const { bench, states, core } = guarded();
    core.sight = thing;
    bench.until(510);
    const { clock } = bench;
    let asked = 0;
    const after = clock.after.bind(clock);
    clock.after = (milliseconds, callback) => {
      asked += 1;
      return after(milliseconds, callback);
    };
    bench.measuring.pause();
    bench.fields.pause();
    bench.until(86_400_000);
    expect(asked).toBe(0);
    core.held = true;
    bench.measuring.resume();
    bench.fields.resume();
    bench.until(86_400_900);
    expect(bench.fields.stateOf(1)).toBe(INFRINGED);
    bench.until(86_401_100);
    expect(states.slice(2)).toEqual([
      [100, INFRINGED],
      [86_401_000, INACTIVE],
    ]);
  });

  test('no timer runs while they are missing', () => {
    const { bench } = guarded();
    bench.until(500);
    bench.measuring.pause();
    bench.until(2000);
    expect(bench.fields.stateOf(1)).toBe(INACTIVE);
    let asked = 0;
    const { clock } = bench;
    clock.after = () => {
      asked += 1;
      return () => undefined;
    };
    bench.until(86_400_000);
    expect(asked).toBe(0);
  });
});

describe('while the measuring core fails', () => {
  test('fields are inactive at once, until it hands over a scan', () => {
    const { bench, states, core } = guarded();
    core.sight = thing;
    bench.until(190);
    core.broken = true;
    bench.switchProfile(4);
    expect(states.at(-1)).toEqual([190, INACTIVE]);
    expect(bench.measuring.state).toBe('measuring');
    bench.until(2000);
    core.broken = false;
    bench.switchProfile(5);
    bench.until(3000);
    expect(states.map(([, state]) => state)).toEqual([
      FREE,
      DETECTING_INFRINGED,
      INFRINGED,
      INACTIVE,
      FREE,
      DETECTING_INFRINGED,
      INFRINGED,
    ]);
    expect(bench.log.errors).toHaveLength(1);
  });

  test('from the start, and looks once when it works', () => {
    const core = new HeldCore();
    core.broken = true;
    const { bench, states } = guarded(core);
    expect(bench.fields.stateOf(1)).toBe(INACTIVE);
    bench.until(5000);
    expect(states.map(([, state]) => state)).not.toContain(DETECTING_INFRINGED);
    core.broken = false;
    bench.switchProfile(4);
    bench.until(6000);
    expect(bench.fields.stateOf(1)).toBe(FREE);
    // Nobody looks any more: a second viewer would have the core turn on.
    bench.define([], []);
    const { computed } = core;
    bench.until(8000);
    expect(core.computed).toBe(computed);
  });

  test('also where the device status tells an error for another reason', () => {
    const { bench, core } = guarded();
    bench.until(190);
    bench.conditions.set('DS_RecoverableError', 'another reason', true);
    expect(bench.fields.stateOf(1)).toBe(FREE);
    core.broken = true;
    bench.switchProfile(4);
    bench.until(1300);
    expect(bench.fields.stateOf(1)).toBe(INACTIVE);
  });
});
