import { FieldState, fieldEvaluation } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { ahead, evaluation, FieldBench, group } from './field-bench.js';
import { arc, nothing } from './scripted-core.js';

const { NOT_CONFIGURED, INACTIVE, FREE, DETECTING_INFRINGED, INFRINGED, DETECTING_FREE } = FieldState;
type State = (typeof FieldState)[keyof typeof FieldState];

/** 2 m ahead, 11 beams wide. */
const thing = arc(-5, 5, 2000);

function guarded(given: Parameters<typeof evaluation>[0] = { Id: 1 }) {
  const bench = new FieldBench();
  bench.define([evaluation(given)], [group(1, [given.Id])]);
  const states: [number, State][] = [[0, bench.fields.stateOf(given.Id)]];
  bench.announcements.subscribe(() => {
    const state = bench.fields.stateOf(given.Id);
    if (state !== states.at(-1)?.[1]) states.push([bench.now, state]);
  });
  return { bench, states };
}

describe('debouncing', () => {
  // A turn begins 0, 100, 200 … ms after the start, and what it has seen is there 50 ms later.
  test('goes through all states at exact times, between scans as well', () => {
    const { bench, states } = guarded({ Id: 1, TimeForInfringedState: 120, TimeForFreeState: 230 });
    bench.until(190);
    bench.core.sight = thing;
    bench.until(690);
    bench.core.sight = nothing;
    bench.until(2000);
    expect(states).toEqual([
      [0, FREE],
      [250, DETECTING_INFRINGED],
      [370, INFRINGED],
      [750, DETECTING_FREE],
      [980, FREE],
    ]);
  });

  test('a thing that goes again in time never infringes', () => {
    const { bench, states } = guarded({ Id: 1, TimeForInfringedState: 101 });
    bench.core.sight = thing;
    bench.until(90);
    bench.core.sight = nothing;
    bench.until(2000);
    expect(states).toEqual([
      [0, FREE],
      [50, DETECTING_INFRINGED],
      [150, FREE],
    ]);
    expect(bench.infringements).toEqual([]);
  });

  test('the time counts anew after each scan without it', () => {
    const { bench, states } = guarded({ Id: 1, TimeForInfringedState: 150 });
    bench.core.sight = thing;
    bench.until(190);
    bench.core.sight = nothing;
    bench.until(290);
    bench.core.sight = thing;
    bench.until(1000);
    expect(states).toEqual([
      [0, FREE],
      [50, DETECTING_INFRINGED],
      [200, INFRINGED],
      [250, DETECTING_FREE],
      [300, FREE],
      [350, DETECTING_INFRINGED],
      [500, INFRINGED],
    ]);
  });

  test('a field that is seen free for too short a time stays infringed', () => {
    const { bench, states } = guarded({ Id: 1, TimeForInfringedState: 1, TimeForFreeState: 101 });
    bench.core.sight = thing;
    bench.until(190);
    bench.core.sight = nothing;
    bench.until(290);
    expect(bench.fields.infringed(1)).toBe(true);
    bench.core.sight = thing;
    bench.until(1000);
    expect(states.slice(1)).toEqual([
      [50, DETECTING_INFRINGED],
      [51, INFRINGED],
      [250, DETECTING_FREE],
      [350, INFRINGED],
    ]);
    expect(bench.infringements).toHaveLength(1);
  });

  test('takes 50 ms both ways unless it is told otherwise', () => {
    const { bench, states } = guarded();
    bench.core.sight = thing;
    bench.until(60);
    bench.core.sight = nothing;
    bench.until(400);
    expect(states.slice(1)).toEqual([
      [50, DETECTING_INFRINGED],
      [100, INFRINGED],
      [150, DETECTING_FREE],
      [200, FREE],
    ]);
  });
});

test('a thing that walks through a field is told in the order of the states, with its places', () => {
  const { bench, states } = guarded({ Id: 7, TimeForInfringedState: 100, TimeForFreeState: 100 });
  const places: unknown[] = [];
  bench.announcements.subscribe(() => {
    places.push(bench.fields.result.EvaluationResultList[6]);
  });
  // It comes nearer along the x axis by 500 mm a scan, and leaves the field in front.
  for (let scan = 0; scan < 12; scan++) {
    bench.core.sight = arc(-3, 3, 4100 - 500 * scan);
    bench.until(100 * scan + 99);
    if (4100 - 500 * scan <= 600) bench.core.sight = nothing;
  }
  bench.until(2000);
  // In the field at 2600, 2100, 1600 and 1100 mm: scans 3 to 6, at 350 to 650 ms.
  expect(states).toEqual([
    [0, FREE],
    [350, DETECTING_INFRINGED],
    [450, INFRINGED],
    [750, DETECTING_FREE],
    [850, FREE],
  ]);
  expect(places).toEqual([
    { State: DETECTING_INFRINGED, Positions: [] },
    // The nearest of points that are all as near: the first one, at -3°. What the scan before showed.
    { State: INFRINGED, Positions: [{ x: Math.round(2600 * Math.cos(Math.PI / 60)), y: -136 }] },
    { State: DETECTING_FREE, Positions: [{ x: Math.round(1100 * Math.cos(Math.PI / 60)), y: -58 }] },
    { State: FREE, Positions: [] },
  ]);
});

describe('what is told', () => {
  test('FieldEvaluationResult changes once a scan, for however many fields', () => {
    const bench = new FieldBench();
    bench.define(
      [1, 2, 3].map((Id) => evaluation({ Id, TimeForInfringedState: Id })),
      [group(1, [1, 2, 3])],
    );
    bench.announced.length = 0;
    bench.core.sight = thing;
    bench.until(1000);
    // All three at the scan, then each at its time; nothing while nothing changes.
    expect(bench.told).toEqual([50, 51, 52, 53]);
  });

  test('while a field is infringed each scan is told to who follows, and states to everybody', () => {
    const bench = new FieldBench();
    bench.define([evaluation({ Id: 1 })], [group(1, [1])]);
    bench.announced.length = 0;
    const heard: [number, boolean][] = [];
    const { FieldEvaluationResult } = fieldEvaluation.members;
    bench.announcements.follow(FieldEvaluationResult, (goesOn) => heard.push([bench.now, goesOn]));
    bench.core.sight = thing;
    bench.until(290);
    // Infringed for 50 ms, it counts as such.
    expect(heard).toEqual([
      [50, false],
      [100, false],
      [150, true],
      [250, true],
    ]);
    expect(bench.told).toEqual([50, 100]);
  });

  test('fields that change at one moment are told at once, and nobody sees one without the others', () => {
    const bench = new FieldBench();
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    const times = { TimeForInfringedState: 70, TimeForFreeState: 230 };
    bench.define(
      ids.map((Id) => evaluation({ Id, ...times })),
      [group(1, ids)],
    );
    bench.announced.length = 0;
    const seen = new Set<string>();
    const look = () => {
      const states = new Set(ids.map((id) => bench.fields.stateOf(id)));
      seen.add([...states].join(' and '));
    };
    bench.announcements.subscribe(look);
    bench.fields.onInfringed(look);
    bench.core.sight = thing;
    bench.until(190);
    bench.core.sight = nothing;
    bench.until(1000);
    expect(bench.told).toEqual([50, 120, 250, 480]);
    expect(bench.infringements).toHaveLength(20);
    expect([...seen]).toEqual([DETECTING_INFRINGED, INFRINGED, DETECTING_FREE, FREE].map(String));
  });

  test('times that began in different scans and are over together are told together', () => {
    const bench = new FieldBench();
    const right = ahead.map(({ x, y }) => ({ x, y: y / 4 - 700 }));
    bench.define(
      [
        evaluation({ Id: 1, TimeForInfringedState: 170 }),
        evaluation({ Id: 2, TimeForInfringedState: 70, Points: right }),
      ],
      [group(1, [1, 2])],
    );
    bench.announced.length = 0;
    bench.core.sight = arc(10, 20, 2000);
    bench.until(90);
    bench.core.sight = arc(-20, -10, 2000);
    bench.until(1000);
    expect(bench.told).toEqual([50, 150, 220]);
    expect(bench.infringements.map(({ evaluation: { Id } }) => Id)).toEqual([1, 2]);
  });

  test('a time that is over when a scan shows the opposite is over first', () => {
    const { bench, states } = guarded({ Id: 1, TimeForInfringedState: 100, TimeForFreeState: 10 });
    bench.core.sight = thing;
    bench.until(90);
    bench.core.sight = nothing;
    bench.until(1000);
    expect(bench.infringements).toHaveLength(1);
    expect(bench.infringements[0]?.positions).toHaveLength(1);
    expect(states.filter(([, state]) => state !== INFRINGED)).toEqual([
      [0, FREE],
      [50, DETECTING_INFRINGED],
      [150, DETECTING_FREE],
      [160, FREE],
    ]);
  });

  test('of 48 slots, only those that are defined are configured', () => {
    const bench = new FieldBench();
    bench.define([evaluation({ Id: 2 }), evaluation({ Id: 48 })], [group(1, [48])]);
    const { Version, EvaluationResultList } = bench.fields.result;
    expect(Version).toBe(1);
    expect(EvaluationResultList.map(({ State }) => State)).toEqual([
      NOT_CONFIGURED,
      INACTIVE,
      ...Array.from({ length: 45 }, () => NOT_CONFIGURED),
      FREE,
    ]);
  });

  test('Timestamp is when an infringement was last seen, by the clock of the scanner', () => {
    const { bench } = guarded({ Id: 1, TimeForInfringedState: 10, TimeForFreeState: 500 });
    expect(bench.fields.result.Timestamp).toBe(0);
    bench.core.sight = thing;
    const epoch = bench.clock.utc();
    bench.until(59);
    expect(bench.fields.result.Timestamp).toBe(0);
    bench.until(60);
    expect(bench.fields.result.Timestamp).toBe(epoch + 60);
    bench.until(170);
    expect(bench.fields.result.Timestamp).toBe(epoch + 150);
    bench.core.sight = nothing;
    bench.until(2000);
    expect(bench.fields.result.Timestamp).toBe(epoch + 150);
    bench.time.set({ ...bench.time.now(), uiYear: 2030 });
    bench.core.sight = thing;
    bench.until(2300);
    expect(new Date(bench.fields.result.Timestamp).getUTCFullYear()).toBe(2030);
  });

  test('whoever waits for infringements gets the field, the time and the place', () => {
    const { bench } = guarded({ Id: 3, Name: 'door' });
    const epoch = bench.clock.utc();
    bench.core.sight = arc(0, 0, 1500.4);
    bench.until(1000);
    expect(bench.infringements).toEqual([
      {
        evaluation: expect.objectContaining({ Id: 3, Name: 'door' }),
        timestamp: epoch + 100,
        positions: [{ x: 1500, y: 0 }],
      },
    ]);
  });
});

describe('measuring', () => {
  test('nothing is measured while no evaluation is active', () => {
    const bench = new FieldBench();
    bench.until(5000);
    bench.define([evaluation({ Id: 1 })], [group(1, [1], { Type: 0 })]);
    bench.until(10_000);
    expect(bench.core.computed).toBe(0);
    bench.define([evaluation({ Id: 1 })], [group(1, [1])]);
    bench.until(10_950);
    expect(bench.core.computed).toBe(10);
    bench.define([], []);
    bench.until(20_000);
    expect(bench.core.computed).toBe(10);
  });

  test('while it is stopped, fields are inactive; then they begin anew', () => {
    const { bench, states } = guarded({ Id: 1, TimeForInfringedState: 100 });
    bench.core.sight = thing;
    bench.until(160);
    expect(bench.fields.infringed(1)).toBe(true);
    bench.measuring.request('stopped');
    expect(bench.fields.result.EvaluationResultList[0]).toEqual({ State: INACTIVE, Positions: [] });
    expect(bench.fields.infringed(1)).toBe(false);
    expect(bench.fields.groupStates[0]).toBe(1);
    bench.until(1000);
    bench.measuring.request('measuring');
    bench.until(1200);
    expect(states).toEqual([
      [0, FREE],
      [50, DETECTING_INFRINGED],
      [150, INFRINGED],
      [160, INACTIVE],
      [1000, FREE],
      [1050, DETECTING_INFRINGED],
      [1150, INFRINGED],
    ]);
  });

  test('a time that runs while measuring stops runs no more', () => {
    const { bench } = guarded({ Id: 1, TimeForInfringedState: 100 });
    bench.core.sight = thing;
    bench.until(60);
    bench.measuring.request('stopped');
    bench.until(1000);
    expect(bench.infringements).toEqual([]);
  });

  test('a scanner that goes down evaluates nothing; one that comes up knows of no infringement', () => {
    const { bench } = guarded();
    bench.core.sight = thing;
    bench.until(160);
    bench.fields.down();
    expect(bench.fields.stateOf(1)).toBe(INACTIVE);
    const { computed } = bench.core;
    bench.until(1000);
    expect(bench.core.computed).toBe(computed);
    bench.fields.boot();
    expect(bench.fields.stateOf(1)).toBe(FREE);
    expect(bench.fields.result.Timestamp).toBe(0);
    bench.until(1300);
    expect(bench.fields.stateOf(1)).toBe(INFRINGED);
  });
});

describe('other definitions', () => {
  test('a field that stays as it is keeps its state, another begins anew', () => {
    const bench = new FieldBench();
    const [one, two] = [evaluation({ Id: 1 }), evaluation({ Id: 2 })];
    bench.define([one, two], [group(1, [1, 2])]);
    bench.core.sight = thing;
    bench.until(110);
    expect([1, 2].map((id) => bench.fields.stateOf(id))).toEqual([INFRINGED, INFRINGED]);
    bench.define([{ ...one }, { ...two, Name: 'new' }], [group(1, [1, 2])]);
    expect([1, 2].map((id) => bench.fields.stateOf(id))).toEqual([INFRINGED, FREE]);
    bench.define([one], [group(1, [1])]);
    expect([1, 2].map((id) => bench.fields.stateOf(id))).toEqual([INFRINGED, NOT_CONFIGURED]);
  });

  test('an evaluation without a contour is inactive', () => {
    const { bench } = guarded({ Id: 1, Points: [] });
    expect(bench.fields.stateOf(1)).toBe(INACTIVE);
    bench.until(1000);
    expect(bench.core.computed).toBe(0);
  });

  test('other beams and another mounting are taken over with the next scan', () => {
    const { bench, states } = guarded({ Id: 1, TimeForInfringedState: 1, TimeForFreeState: 1 });
    bench.core.sight = arc(0, 0, 500);
    bench.until(100);
    bench.mount({ x: 1000 });
    bench.until(200);
    bench.mount({ x: 1000, yaw: 1_800_000 });
    bench.until(300);
    // 20 turns a second, a beam each 2°, the whole of them measured in 22 ms.
    bench.mount({ x: 1000 });
    bench.core.geometry = { frequency: 20, firstAngle: -80, step: 2, beams: 81, beamsPerSegment: 81 };
    bench.switchProfile(4);
    bench.until(1000);
    expect(states.slice(0, 5)).toEqual([
      [0, FREE],
      [150, DETECTING_INFRINGED],
      [151, INFRINGED],
      [250, DETECTING_FREE],
      [251, FREE],
    ]);
    expect(states.at(-1)?.[1]).toBe(INFRINGED);
  });

  test('the core variant has no fields', () => {
    const bench = new FieldBench({ variant: 'core' });
    expect(bench.fields.result.EvaluationResultList.every(({ State }) => State === NOT_CONFIGURED)).toBe(
      true,
    );
    bench.until(1000);
    expect(bench.core.computed).toBe(0);
  });
});

test('a background behind the field infringes nothing', () => {
  const { bench, states } = guarded();
  bench.core.sight = arc(-90, 90, 4300);
  bench.until(1000);
  expect(states).toEqual([[0, FREE]]);
});
