import { FieldState, fieldEvaluation } from '@azimuth/model';
import { describe, expect, test } from 'vitest';
import { ahead, evaluation, FieldTestDevice, group } from './field-test-device.js';
import { arc, nothing } from './scripted-core.js';

const { NOT_CONFIGURED, INACTIVE, FREE, DETECTING_INFRINGED, INFRINGED, DETECTING_FREE } = FieldState;
type State = (typeof FieldState)[keyof typeof FieldState];

/** 2 m ahead, 11 beams wide. */
const thing = arc(-5, 5, 2000);

function guarded(given: Parameters<typeof evaluation>[0] = { Id: 1 }) {
  const testDevice = new FieldTestDevice();
  testDevice.define([evaluation(given)], [group(1, [given.Id])]);
  const states: [number, State][] = [[0, testDevice.fields.stateOf(given.Id)]];
  testDevice.announcements.subscribe(() => {
    const state = testDevice.fields.stateOf(given.Id);
    if (state !== states.at(-1)?.[1]) states.push([testDevice.now, state]);
  });
  return { testDevice, states };
}

describe('debouncing', () => {
  // A turn begins 0, 100, 200 … ms after the start. Its scan comes 50 ms later.
  test('goes through all states at exact times, between scans as well', () => {
    const { testDevice, states } = guarded({ Id: 1, TimeForInfringedState: 120, TimeForFreeState: 230 });
    testDevice.until(190);
    testDevice.core.sight = thing;
    testDevice.until(690);
    testDevice.core.sight = nothing;
    testDevice.until(2000);
    expect(states).toEqual([
      [0, FREE],
      [250, DETECTING_INFRINGED],
      [370, INFRINGED],
      [750, DETECTING_FREE],
      [980, FREE],
    ]);
  });

  test('a thing that goes again in time never infringes', () => {
    const { testDevice, states } = guarded({ Id: 1, TimeForInfringedState: 101 });
    testDevice.core.sight = thing;
    testDevice.until(90);
    testDevice.core.sight = nothing;
    testDevice.until(2000);
    expect(states).toEqual([
      [0, FREE],
      [50, DETECTING_INFRINGED],
      [150, FREE],
    ]);
    expect(testDevice.infringements).toEqual([]);
  });

  test('the time counts anew after each scan without it', () => {
    const { testDevice, states } = guarded({ Id: 1, TimeForInfringedState: 150 });
    testDevice.core.sight = thing;
    testDevice.until(190);
    testDevice.core.sight = nothing;
    testDevice.until(290);
    testDevice.core.sight = thing;
    testDevice.until(1000);
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
    const { testDevice, states } = guarded({ Id: 1, TimeForInfringedState: 1, TimeForFreeState: 101 });
    testDevice.core.sight = thing;
    testDevice.until(190);
    testDevice.core.sight = nothing;
    testDevice.until(290);
    expect(testDevice.fields.infringed(1)).toBe(true);
    testDevice.core.sight = thing;
    testDevice.until(1000);
    expect(states.slice(1)).toEqual([
      [50, DETECTING_INFRINGED],
      [51, INFRINGED],
      [250, DETECTING_FREE],
      [350, INFRINGED],
    ]);
    expect(testDevice.infringements).toHaveLength(1);
  });

  test('takes 50 ms both ways by default', () => {
    const { testDevice, states } = guarded();
    testDevice.core.sight = thing;
    testDevice.until(60);
    testDevice.core.sight = nothing;
    testDevice.until(400);
    expect(states.slice(1)).toEqual([
      [50, DETECTING_INFRINGED],
      [100, INFRINGED],
      [150, DETECTING_FREE],
      [200, FREE],
    ]);
  });
});

test('an object that moves through a field is reported in the order of the states, with its positions', () => {
  const { testDevice, states } = guarded({ Id: 7, TimeForInfringedState: 100, TimeForFreeState: 100 });
  const places: unknown[] = [];
  testDevice.announcements.subscribe(() => {
    places.push(testDevice.fields.result.EvaluationResultList[6]);
  });
  // It comes nearer along the x axis by 500 mm a scan, and leaves the field in front.
  for (let scan = 0; scan < 8; scan++) {
    testDevice.core.sight = arc(-3, 3, 4100 - 500 * scan);
    testDevice.until(100 * scan + 99);
    if (4100 - 500 * scan <= 600) testDevice.core.sight = nothing;
  }
  testDevice.until(2000);
  // The object is in the field at 2600, 2100, 1600 and 1100 mm: scans 3 to 6, at 350 to 650 ms.
  expect(states).toEqual([
    [0, FREE],
    [350, DETECTING_INFRINGED],
    [450, INFRINGED],
    [750, DETECTING_FREE],
    [850, FREE],
  ]);
  expect(places).toEqual([
    { State: DETECTING_INFRINGED, Positions: [] },
    // The first of several points with the same distance, at -3°. The scan before showed it.
    { State: INFRINGED, Positions: [{ x: Math.round(2600 * Math.cos(Math.PI / 60)), y: -136 }] },
    { State: DETECTING_FREE, Positions: [{ x: Math.round(1100 * Math.cos(Math.PI / 60)), y: -58 }] },
    { State: FREE, Positions: [] },
  ]);
});

describe('what is reported', () => {
  test('FieldEvaluationResult changes once a scan, for however many fields', () => {
    const testDevice = new FieldTestDevice();
    testDevice.define(
      [1, 2, 3].map((Id) => evaluation({ Id, TimeForInfringedState: Id })),
      [group(1, [1, 2, 3])],
    );
    testDevice.announced.length = 0;
    testDevice.core.sight = thing;
    testDevice.until(1000);
    // All three change with the scan, then each at its time. Nothing is announced without a change.
    expect(testDevice.reported).toEqual([50, 51, 52, 53]);
  });

  test('while a field is infringed, its followers get each scan, and all subscribers get changed states', () => {
    const testDevice = new FieldTestDevice();
    testDevice.define([evaluation({ Id: 1 })], [group(1, [1])]);
    testDevice.announced.length = 0;
    const heard: [number, boolean][] = [];
    const { FieldEvaluationResult } = fieldEvaluation.members;
    testDevice.announcements.follow(FieldEvaluationResult, (isRoutine) =>
      heard.push([testDevice.now, isRoutine]),
    );
    testDevice.core.sight = thing;
    testDevice.until(290);
    // The field counts as infringed after 50 ms.
    expect(heard).toEqual([
      [50, false],
      [100, false],
      [150, true],
      [250, true],
    ]);
    expect(testDevice.reported).toEqual([50, 100]);
  });

  test('fields that change at the same moment are announced together', () => {
    const testDevice = new FieldTestDevice();
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    const times = { TimeForInfringedState: 70, TimeForFreeState: 230 };
    testDevice.define(
      ids.map((Id) => evaluation({ Id, ...times })),
      [group(1, ids)],
    );
    testDevice.announced.length = 0;
    const seen = new Set<string>();
    const look = () => {
      const states = new Set(ids.map((id) => testDevice.fields.stateOf(id)));
      seen.add([...states].join(' and '));
    };
    testDevice.announcements.subscribe(look);
    testDevice.fields.onInfringed(look);
    testDevice.core.sight = thing;
    testDevice.until(190);
    testDevice.core.sight = nothing;
    testDevice.until(1000);
    expect(testDevice.reported).toEqual([50, 120, 250, 480]);
    expect(testDevice.infringements).toHaveLength(20);
    expect([...seen]).toEqual([DETECTING_INFRINGED, INFRINGED, DETECTING_FREE, FREE].map(String));
  });

  test('times that began in different scans and end together are announced together', () => {
    const testDevice = new FieldTestDevice();
    const right = ahead.map(({ x, y }) => ({ x, y: y / 4 - 700 }));
    testDevice.define(
      [
        evaluation({ Id: 1, TimeForInfringedState: 170 }),
        evaluation({ Id: 2, TimeForInfringedState: 70, Points: right }),
      ],
      [group(1, [1, 2])],
    );
    testDevice.announced.length = 0;
    testDevice.core.sight = arc(10, 20, 2000);
    testDevice.until(90);
    testDevice.core.sight = arc(-20, -10, 2000);
    testDevice.until(1000);
    expect(testDevice.reported).toEqual([50, 150, 220]);
    expect(testDevice.infringements.map(({ evaluation: { Id } }) => Id)).toEqual([1, 2]);
  });

  test('a time that is over when a scan shows the opposite is over first', () => {
    const { testDevice, states } = guarded({ Id: 1, TimeForInfringedState: 100, TimeForFreeState: 10 });
    testDevice.core.sight = thing;
    testDevice.until(90);
    testDevice.core.sight = nothing;
    testDevice.until(1000);
    expect(testDevice.infringements).toHaveLength(1);
    expect(testDevice.infringements[0]?.positions).toHaveLength(1);
    expect(states.filter(([, state]) => state !== INFRINGED)).toEqual([
      [0, FREE],
      [50, DETECTING_INFRINGED],
      [150, DETECTING_FREE],
      [160, FREE],
    ]);
  });

  test('of 48 slots, only those that are defined are configured', () => {
    const testDevice = new FieldTestDevice();
    testDevice.define([evaluation({ Id: 2 }), evaluation({ Id: 48 })], [group(1, [48])]);
    const { Version, EvaluationResultList } = testDevice.fields.result;
    expect(Version).toBe(1);
    expect(EvaluationResultList.map(({ State }) => State)).toEqual([
      NOT_CONFIGURED,
      INACTIVE,
      ...Array.from({ length: 45 }, () => NOT_CONFIGURED),
      FREE,
    ]);
  });

  test('Timestamp is when an infringement was last seen, by the clock of the scanner', () => {
    const { testDevice } = guarded({ Id: 1, TimeForInfringedState: 10, TimeForFreeState: 500 });
    expect(testDevice.fields.result.Timestamp).toBe(0);
    testDevice.core.sight = thing;
    const epoch = testDevice.clock.utc();
    testDevice.until(59);
    expect(testDevice.fields.result.Timestamp).toBe(0);
    testDevice.until(60);
    expect(testDevice.fields.result.Timestamp).toBe(epoch + 60);
    testDevice.until(170);
    expect(testDevice.fields.result.Timestamp).toBe(epoch + 150);
    testDevice.core.sight = nothing;
    testDevice.until(2000);
    expect(testDevice.fields.result.Timestamp).toBe(epoch + 150);
    testDevice.time.set({ ...testDevice.time.now(), uiYear: 2030 });
    testDevice.core.sight = thing;
    testDevice.until(2300);
    expect(new Date(testDevice.fields.result.Timestamp).getUTCFullYear()).toBe(2030);
  });

  test('listeners for infringements get the field, the time and the position', () => {
    const { testDevice } = guarded({ Id: 3, Name: 'door' });
    const epoch = testDevice.clock.utc();
    testDevice.core.sight = arc(0, 0, 1500.4);
    testDevice.until(1000);
    expect(testDevice.infringements).toEqual([
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
    const testDevice = new FieldTestDevice();
    testDevice.until(5000);
    testDevice.define([evaluation({ Id: 1 })], [group(1, [1], { Type: 0 })]);
    testDevice.until(10_000);
    expect(testDevice.core.computed).toBe(0);
    testDevice.define([evaluation({ Id: 1 })], [group(1, [1])]);
    testDevice.until(10_950);
    expect(testDevice.core.computed).toBe(10);
    testDevice.define([], []);
    testDevice.until(20_000);
    expect(testDevice.core.computed).toBe(10);
  });

  test('while it is stopped, fields are inactive; then they begin anew', () => {
    const { testDevice, states } = guarded({ Id: 1, TimeForInfringedState: 100 });
    testDevice.core.sight = thing;
    testDevice.until(160);
    expect(testDevice.fields.infringed(1)).toBe(true);
    testDevice.measuring.request('stopped');
    expect(testDevice.fields.result.EvaluationResultList[0]).toEqual({ State: INACTIVE, Positions: [] });
    expect(testDevice.fields.infringed(1)).toBe(false);
    expect(testDevice.fields.groupStates[0]).toBe(1);
    testDevice.until(1000);
    testDevice.measuring.request('measuring');
    testDevice.until(1200);
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
    const { testDevice } = guarded({ Id: 1, TimeForInfringedState: 100 });
    testDevice.core.sight = thing;
    testDevice.until(60);
    testDevice.measuring.request('stopped');
    testDevice.until(1000);
    expect(testDevice.infringements).toEqual([]);
  });

  test('a scanner that goes down evaluates nothing; one that comes up knows of no infringement', () => {
    const { testDevice } = guarded();
    testDevice.core.sight = thing;
    testDevice.until(160);
    testDevice.fields.down();
    expect(testDevice.fields.stateOf(1)).toBe(INACTIVE);
    const { computed } = testDevice.core;
    testDevice.until(1000);
    expect(testDevice.core.computed).toBe(computed);
    testDevice.fields.boot();
    expect(testDevice.fields.stateOf(1)).toBe(FREE);
    expect(testDevice.fields.result.Timestamp).toBe(0);
    testDevice.until(1300);
    expect(testDevice.fields.stateOf(1)).toBe(INFRINGED);
  });
});

describe('other definitions', () => {
  test('an unchanged field keeps its state, a changed one begins anew', () => {
    const testDevice = new FieldTestDevice();
    const [one, two] = [evaluation({ Id: 1 }), evaluation({ Id: 2 })];
    testDevice.define([one, two], [group(1, [1, 2])]);
    testDevice.core.sight = thing;
    testDevice.until(110);
    expect([1, 2].map((id) => testDevice.fields.stateOf(id))).toEqual([INFRINGED, INFRINGED]);
    testDevice.define([{ ...one }, { ...two, Name: 'new' }], [group(1, [1, 2])]);
    expect([1, 2].map((id) => testDevice.fields.stateOf(id))).toEqual([INFRINGED, FREE]);
    testDevice.define([one], [group(1, [1])]);
    expect([1, 2].map((id) => testDevice.fields.stateOf(id))).toEqual([INFRINGED, NOT_CONFIGURED]);
  });

  test('an evaluation without a contour is inactive', () => {
    const { testDevice } = guarded({ Id: 1, Points: [] });
    expect(testDevice.fields.stateOf(1)).toBe(INACTIVE);
    testDevice.until(1000);
    expect(testDevice.core.computed).toBe(0);
  });

  test('other beams apply with the next scan', () => {
    const { testDevice, states } = guarded({ Id: 1, TimeForInfringedState: 1, TimeForFreeState: 1 });
    testDevice.core.sight = arc(0, 0, 1500);
    testDevice.until(100);
    // 20 turns a second, a beam each 2°, the whole of them measured in 22 ms: what was beam 90 is beam 45.
    testDevice.core.geometry = { frequency: 20, firstAngle: -90, step: 2, beams: 91, beamsPerSegment: 91 };
    testDevice.switchProfile(4);
    testDevice.until(1000);
    expect(states.at(-1)?.[1]).toBe(INFRINGED);
  });

  test('the position of the scanner on its machine moves no field', () => {
    const { testDevice, states } = guarded({ Id: 1, TimeForInfringedState: 1, TimeForFreeState: 1 });
    testDevice.core.sight = arc(0, 0, 1500);
    testDevice.until(200);
    testDevice.mount({ x: 10_000, y: -3000, z: 500, yaw: 1_800_000, pitch: 300_000, roll: 100_000 });
    testDevice.until(1000);
    expect(states.at(-1)?.[1]).toBe(INFRINGED);
    expect(testDevice.fields.result.EvaluationResultList[0]?.Positions).toEqual([{ x: 1500, y: 0 }]);
  });

  test('the basic variant has no fields', () => {
    const testDevice = new FieldTestDevice({ variant: 'basic' });
    expect(testDevice.fields.result.EvaluationResultList.every(({ State }) => State === NOT_CONFIGURED)).toBe(
      true,
    );
    testDevice.until(1000);
    expect(testDevice.core.computed).toBe(0);
  });
});

test('a background behind the field infringes nothing', () => {
  const { testDevice, states } = guarded();
  testDevice.core.sight = arc(-90, 90, 4300);
  testDevice.until(1000);
  expect(states).toEqual([[0, FREE]]);
});
